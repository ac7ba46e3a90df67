//! A made-up agent platform of any size: the same files every time, with something in them for every stage.

/// A file: path and text.
pub type File = (String, String);

/// Words that names are made of; some occur in probes' literals, most do not.
const WORDS: &[&str] = &[
    "account",
    "agent",
    "batch",
    "bot",
    "cache",
    "call",
    "chat",
    "client",
    "command",
    "config",
    "content",
    "count",
    "event",
    "factory",
    "field",
    "file",
    "filter",
    "flow",
    "handler",
    "image",
    "index",
    "item",
    "knowledge",
    "label",
    "limit",
    "list",
    "loader",
    "message",
    "model",
    "name",
    "node",
    "order",
    "page",
    "parser",
    "path",
    "plugin",
    "point",
    "project",
    "query",
    "record",
    "registry",
    "render",
    "request",
    "result",
    "role",
    "schema",
    "service",
    "session",
    "space",
    "state",
    "step",
    "store",
    "stream",
    "table",
    "task",
    "token",
    "tool",
    "tree",
    "type",
    "user",
    "value",
    "version",
    "view",
    "workflow",
];

/// Numbers that look random and are the same in every run (the constants are Knuth's MMIX generator).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn word(&mut self) -> &'static str {
        WORDS[self.roll(WORDS.len())]
    }

    fn name(&mut self) -> String {
        format!("{}_{}", self.word(), self.word())
    }
}

/// `count` modules in Go, Python and TypeScript, about 6 KB each, and the agent that they belong to.
pub fn files(count: usize) -> Vec<File> {
    let mut dice = Dice(20_261_130);
    let mut files = agent();
    files.extend((0..count).map(|number| module(number, &mut dice)));
    files
}

/// `files` with every hundredth changed: the next commit.
pub fn next(files: &[File]) -> Vec<File> {
    let change = |(number, (path, text)): (usize, &File)| match number % 100 {
        50 => (path.clone(), format!("{text}\n\n")),
        _ => (path.clone(), text.clone()),
    };
    files.iter().enumerate().map(change).collect()
}

fn agent() -> Vec<File> {
    let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    vec![
        file(
            "README.md",
            "# Platform\n\nPlatform is an AI agent platform.\n",
        ),
        file(
            "pyproject.toml",
            "[project]\nname = \"platform\"\ndependencies = [\"openai\"]\n",
        ),
        file(
            "agent/loop.py",
            "from openai import OpenAI\nfrom .shell import run_command\n\nTOOLS = {\"bash\": run_command}\n\n\
             def run(messages):\n    client = OpenAI()\n    for step in range(30):\n        \
             reply = client.chat.completions.create(model=\"m\", messages=messages, tools=SCHEMAS)\n        \
             for call in reply.choices[0].message.tool_calls:\n            \
             result = TOOLS[call.function.name](call.function.arguments)\n            \
             messages.append({\"role\": \"tool\", \"content\": result})\n",
        ),
        file(
            "agent/shell.py",
            "import subprocess\n\n\ndef run_command(command):\n    return subprocess.run(command, shell=True).stdout\n",
        ),
    ]
}

fn module(number: usize, dice: &mut Dice) -> File {
    let folder = format!(
        "{}/{}",
        ["backend", "worker", "web"][number % 3],
        dice.word()
    );
    let functions = |dice: &mut Dice, function: fn(&mut Dice) -> String| -> String {
        (0..24).map(|_| function(dice)).collect()
    };
    match number % 3 {
        0 => {
            let head = format!(
                "package {}\n\nimport (\n\t\"context\"\n\t\"fmt\"\n)\n",
                dice.word()
            );
            (
                format!("{folder}/m{number}.go"),
                head + &functions(dice, go),
            )
        }
        1 => {
            let head = format!("import json\nimport os\n\nfrom . import {}\n", dice.word());
            (
                format!("{folder}/m{number}.py"),
                head + &functions(dice, python),
            )
        }
        _ => {
            let head = format!("import {{ {} }} from './{}';\n", dice.word(), dice.word());
            (
                format!("{folder}/m{number}.ts"),
                head + &functions(dice, typescript),
            )
        }
    }
}

fn go(dice: &mut Dice) -> String {
    let (name, one, two) = (dice.name(), dice.name(), dice.word());
    format!(
        "\n// {name} returns the {two} of one {one}.\nfunc {name}(ctx context.Context, {one} *Item) (string, error) {{\n\
         \tif {one} == nil {{\n\t\treturn \"\", fmt.Errorf(\"no {two}\")\n\t}}\n\
         \t{two}, err := svc.Get(ctx, {one}.ID)\n\tif err != nil {{\n\t\treturn \"\", err\n\t}}\n\
         \treturn fmt.Sprintf(\"%s/%s\", {two}, {one}.Name), nil\n}}\n"
    )
}

fn python(dice: &mut Dice) -> String {
    let (name, one, two) = (dice.name(), dice.name(), dice.word());
    format!(
        "\n\ndef {name}({one}, {two}=None):\n    \"\"\"Return the {two} of one {one}.\"\"\"\n    if {one} is None:\n        \
         raise ValueError(\"no {two}\")\n    path = os.path.join({one}.folder, \"{two}.json\")\n    \
         with open(path) as file:\n        data = json.load(file)\n    for item in data[\"{two}s\"]:\n        \
         {one}.add(item)\n    return {one}\n"
    )
}

fn typescript(dice: &mut Dice) -> String {
    let (name, one, two) = (dice.name(), dice.name(), dice.word());
    format!(
        "\n/** The {two} of one {one}. */\nexport const {name} = async ({one}: Item, {two}?: string) => {{\n  \
         const {{ data, loading }} = useRequest(() => api.{two}({{ id: {one}.id, name: {two} ?? '' }}));\n  \
         if (loading) {{\n    return null;\n  }}\n  return data.map(item => ({{ ...item, label: `{two}-${{item.id}}` }}));\n}};\n"
    )
}
