//! Roles of realistic paths under the rules of rubric/inventory.toml.

use super::tests::{inventory, rules};
use super::{Inventory, Role};

/// Files that make the folders of the table what they are.
const SURROUNDINGS: [&str; 15] = [
    "pyproject.toml",
    "agent/__init__.py",
    "agent/eval/__init__.py",
    "scripts/__init__.py",
    "python/pyproject.toml",
    "packages/core/package.json",
    "packages/docs/package.json",
    "packages/examples/package.json",
    "packages/evals/package.json",
    "packages/playground/package.json",
    "backend/go.mod",
    "crates/engine/Cargo.toml",
    "servers/mail/pyproject.toml",
    "web/package.json",
    "java/pom.xml",
];

const TABLE: [(Role, &[&str]); 8] = [
    (
        Role::Source,
        &[
            "main.go",
            "run.py",
            "agent/__main__.py",
            "agent/docs/loader.py",
            "agent/eval/judge.py",
            "agent/benchmarks/base.py",
            "agent/testing/fake_model.py",
            "agent/templates/__init__.py",
            "agent/tools/test_runner.py",
            "agent/tools/code/write_test.py",
            "agent/cli/commands/test.py",
            "agent/cli/setup.py",
            "agent/scripts/transcribe.sh",
            "agent/prompts/system.md",
            "agent/skills/pdf/SKILL.md",
            "agent/skills/pdf/scripts/fill_form.py",
            "agent/config/default.toml",
            "agent/settings.yaml",
            "src/tests_runner.py",
            "src/latest.ts",
            "src/docker/client.ts",
            "src/providers/k8s/watch.go",
            "src/commands/test/index.ts",
            "src/hooks/example/use-thing.ts",
            "src/deploy/planner.ts",
            "internal/agent/tools/bash.md",
            "internal/evals/evals.go",
            "pkg/mock.go",
            "cmd/test/main.go",
            "backend/infra/cache/redis.go",
            "packages/core/src/docs/service.ts",
            "packages/core/src/release.ts",
            "packages/core/bin/cli.js",
            "packages/playground/src/index.tsx",
            "crates/engine/src/testing.rs",
            "crates/engine/src/tools/test_plan.rs",
            "java/src/main/java/com/example/app/Main.java",
            "web/src/components/helm/ChartBrowser.tsx",
            ".assistant-plugin/plugin.json",
            "tools/search/install.sh",
            "tools/search/bin/search.py",
            "package.json",
            "requirements.txt",
            "openapi.spec.json",
            "prompt_template.yaml",
            "Dockerfiles.py",
            "assets/logo.png",
        ],
    ),
    (
        Role::Test,
        &[
            "tests/test_agent.py",
            "tests/examples/test_examples.py",
            "tests/fixtures/compose.yaml",
            "tests/README.md",
            "test/unit/a.js",
            "conftest.py",
            "agent/conftest.py",
            "agent/test_loop.py",
            "agent/loop_test.py",
            "agent/tools/tests/test_shell.py",
            "agent/integration_tests/live.py",
            "internal/loop_test.go",
            "internal/testutil/server.go",
            "internal/mock/model.go",
            "pkg/testdata/src/a.go",
            "pkg/mock_store.go",
            "src/loop.test.ts",
            "src/loop.spec.tsx",
            "src/__tests__/loop.ts",
            "src/__mocks__/fs.ts",
            "src/__snapshots__/a.ts.snap",
            "src/button.stories.tsx",
            "src/setupTests.ts",
            "packages/core/e2e/login.ts",
            "packages/core/vitest.config.ts",
            "packages/core/src/test-utils/render.tsx",
            "packages/evals/src/run.ts",
            "crates/engine/tests/cli.rs",
            "crates/engine/benches/parse.rs",
            "crates/engine/src/loop/tests.rs",
            "java/src/test/java/com/acme/AppTest.java",
            "dotnet/Acme.Tests/AgentTests.cs",
            "spec/models/user_spec.rb",
            "evals/run.py",
            "benchmark/suite.py",
            "python/benchmarks/latency.py",
            "servers/mail/evals/score.py",
            "e2e-tests/checkout.spec.ts",
            "integration-tests/run.test.ts",
            "run_tests.sh",
            "test-infrastructure/vm/start.sh",
            "docker-compose.test.yml",
            ".env.test",
            ".storybook/main.ts",
        ],
    ),
    (
        Role::Example,
        &[
            "examples/basic.py",
            "examples/docker-compose.yml",
            "examples/README.md",
            "agent/examples/chat.py",
            "src/commands/examples/hook.js",
            "cookbook/agents/team.py",
            "samples/chat/main.go",
            "demo/app.py",
            "packages/examples/src/index.ts",
            "packages/core/example/index.ts",
            "backend/internal/logo/example/main.go",
            "notebooks/intro.py",
            "research/analysis.ipynb",
            "playground/ui/app.py",
            "servers/mail/weather_example.py",
        ],
    ),
    (
        Role::Documentation,
        &[
            "README.md",
            "CHANGELOG",
            "LICENSE",
            "SECURITY.md",
            "docs/index.md",
            "docs/conf.py",
            "docs/src/components/Card.tsx",
            "docs/docker-compose.yml",
            "python/docs/source/build.py",
            "packages/docs/app/page.tsx",
            "website/src/pages/index.js",
            "agent/docs/overview.rst",
            "agent/README.md",
            "src/README.md",
            "internal/agent/AGENTS.md",
            "docker/README.md",
            "notes/design.adoc",
        ],
    ),
    (
        Role::Deployment,
        &[
            "Dockerfile",
            "Dockerfile.gpu",
            "docker/sandbox.Dockerfile",
            "agent/sandbox/Dockerfile",
            "compose.yaml",
            "docker-compose.prod.yml",
            "docker/entrypoint.sh",
            "docker/nginx/default.conf",
            "docker/setup.py",
            ".env.example",
            "backend/.env.template",
            ".dockerignore",
            "config.example.toml",
            "config_template.yaml",
            "conf/agent.yaml.example",
            "helm/acme/values.yaml",
            "helm/acme/templates/deployment.yaml",
            "deploy/k8s/rbac.yaml",
            "charts/acme/Chart.yaml",
            "infra/main.tf",
            "infrastructure/stack.ts",
            "install.sh",
            "scripts/install.ps1",
            ".github/workflows/triage.yml",
            "action.yml",
            "fly.toml",
            "web/wrangler.jsonc",
        ],
    ),
    (
        Role::Tooling,
        &[
            "scripts/release.py",
            "scripts/bump_version.sh",
            "packages/core/scripts/bundle.mjs",
            "hack/update.sh",
            "ci/build.yaml",
            "Makefile",
            "setup.py",
            "noxfile.py",
            ".pre-commit-config.yaml",
            ".github/dependabot.yml",
            ".github/scripts/label.py",
            ".claude/settings.json",
            ".agents/skills/review/SKILL.md",
            ".vscode/launch.json",
            ".devcontainer/Dev.sh",
            "web/next.config.mjs",
            "web/eslint.config.js",
            "tsconfig.json",
            "crates/engine/build.rs",
            "packages/core/build.ts",
        ],
    ),
    (
        Role::Vendored,
        &[
            "vendor/github.com/acme/lib/lib.go",
            "third_party/parser/parser.c",
            "web/node_modules/left/index.js",
            "web/public/jquery.min.js",
            "src/vendor/README.md",
        ],
    ),
    (
        Role::Generated,
        &[
            "package-lock.json",
            "go.sum",
            "python/uv.lock",
            "api/agent.pb.go",
            "agent/proto/agent_pb2.py",
            "backend/dal/user.gen.go",
            "web/src/routes.generated.ts",
            "web/dist/assets/index.js",
            "src/generated/client.ts",
            "web/src/index.js.map",
        ],
    ),
];

fn role_in(inventory: &Inventory, path: &str) -> Role {
    inventory
        .files
        .iter()
        .find(|file| file.path == path)
        .unwrap()
        .role
}

#[test]
fn roles_of_realistic_paths() {
    let listed = TABLE.iter().flat_map(|(_, paths)| paths.iter().copied());
    let mut paths: Vec<&str> = SURROUNDINGS.into_iter().chain(listed).collect();
    paths.sort_unstable();
    paths.dedup();
    let inventory = inventory(&paths, None);
    let mut wrong = Vec::new();
    for (expected, paths) in TABLE {
        for path in paths {
            let role = role_in(&inventory, path);
            if role != expected {
                wrong.push(format!("{path}: {role}, not {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_sole_package_called_scripts_is_the_product() {
    let paths = ["learn.py", "scripts/__init__.py", "scripts/model.py"];
    assert_eq!(
        role_in(&inventory(&paths, None), "scripts/model.py"),
        Role::Source
    );
    let paths = ["app/__init__.py", "scripts/__init__.py", "scripts/model.py"];
    assert_eq!(
        role_in(&inventory(&paths, None), "scripts/model.py"),
        Role::Tooling
    );
}

#[test]
fn languages_of_file_names() {
    let rules = rules();
    let cases = [
        ("a.py", "python"),
        ("a.pyi", "python"),
        ("A.PY", "python"),
        ("a.d.ts", "typescript"),
        ("a.tsx", "tsx"),
        ("a.mjs", "javascript"),
        ("Dockerfile", "dockerfile"),
        ("Dockerfile.multi", "dockerfile"),
        ("Dockerfile.md", "markdown"),
        ("Dockerfile.gpu.dockerignore", "ignore"),
        (".env", "env"),
        (".env.example", "env"),
        ("web.env.example", "env"),
        ("config.toml.example", "toml"),
        ("values.yaml.dist", "yaml"),
        ("settings.json.template", "json"),
        ("Makefile.template", "make"),
        ("deployment.yaml.j2", "template"),
        ("README.mdx", "markdown"),
    ];
    for (name, expected) in cases {
        let language = rules.languages.of_file(name);
        assert_eq!(language.map(|l| l.name.as_str()), Some(expected), "{name}");
    }
    for name in ["LICENSE", "a.png", "py", "a.", ".python-version"] {
        assert_eq!(rules.languages.of_file(name), None, "{name}");
    }
}

#[test]
fn grammars_are_of_source_languages() {
    let rules = rules();
    let parsed = rules.languages.iter().filter(|language| language.grammar);
    let parsed: Vec<_> = parsed
        .map(|language| (language.name.as_str(), language.source))
        .collect();
    let names = [
        "go",
        "python",
        "javascript",
        "typescript",
        "tsx",
        "rust",
        "java",
    ];
    assert_eq!(parsed, names.map(|name| (name, true)));
}
