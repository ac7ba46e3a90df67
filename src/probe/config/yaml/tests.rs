use crate::probe::config::tests::{LIMITS, failure, read};
use crate::probe::config::{ConfigLimits, Reason, flatten};

#[test]
fn scalars_of_all_styles_and_their_lines() {
    let text =
        "a: 1\nb: yes # note\nc: 'it''s'\nd: \"x\\ty\n  z\"\ne:\n  plain\n  over lines\nf: 0o755\n";
    assert_eq!(
        read("a.yaml", text),
        [
            "1 a = 1",
            "2 b = yes",
            "3 c = it's",
            "4-5 d = x\ty z",
            "7-8 e = plain over lines",
            "9 f = 0o755"
        ]
    );
}

#[test]
fn block_scalars_are_on_the_lines_of_their_text() {
    let text = "a: |\n\n  one\n   two\n\n\n# note\nb: >-\n  three\n  four\nc:\n  - |2+\n    five\n\n  - six\nd: |\ne:\n  - >-\n  # note\n  - x\nlast: |\n  end";
    assert_eq!(
        read("a.yml", text),
        [
            "3-4 a = \none\n two\n",
            "9-10 b = three four",
            "13 c.0 = five\n\n",
            "15 c.1 = six",
            "16 d = ",
            "18 e.0 = ",
            "20 e.1 = x",
            "22 last = end\n",
        ]
    );
}

#[test]
fn nothing_is_on_the_line_of_its_key() {
    let text = "a:\nb: ~\nc: null\nd: ''\ne: {}\nf: []\ng:\n  -\n  - {h: , i}\nj: 'null'\nk:\n\n\nl: !!str\n";
    assert_eq!(
        read("a.yaml", text),
        [
            "1 a = ",
            "2 b = ",
            "3 c = ",
            "4 d = ",
            "5 e = ",
            "6 f = ",
            "8 g.0 = ",
            "9 g.1.h = ",
            "9 g.1.i = ",
            "10 j = null",
            "11 k = ",
            "14 l = ",
        ]
    );
}

#[test]
fn flow_collections_over_lines() {
    let text = "a: {b: 1,\n  c: [x,\n  'y', ], \"d\":2}\ne: [{f: g}]\n";
    assert_eq!(
        read("a.yaml", text),
        [
            "1 a.b = 1",
            "2 a.c.0 = x",
            "3 a.c.1 = y",
            "3 a.d = 2",
            "4 e.0.f = g"
        ]
    );
}

#[test]
fn a_closing_bracket_may_stand_under_its_key() {
    let text = "web:\n  command: [\n    \"a\",\n    {b: \"é\"\n  } # c\n  ]\n  ports: [\r\n    '1' # d\r\n  ]\r\n  env: |\n    {\n    }\nd: {\n} \n";
    assert_eq!(
        read("compose.yaml", text),
        [
            "3 web.command.0 = a",
            "4 web.command.1.b = é",
            "8 web.ports.0 = 1",
            "11-12 web.env = {\n}\n",
            "13 d = ",
        ]
    );
    for comment in ["c's", "ç"] {
        let text = format!("w: 1\nx:\n  a: [\n    'b' # {comment}\n  ]\n");
        assert_eq!(failure("a.yaml", &text), (vec!["1 w = 1".to_owned()], 5));
    }
}

#[test]
fn windows_and_non_ascii_lines() {
    let text = "ä: ü\r\nb:\r\n  - € x\r\n  -\r\nc: |\r\n  é\r\n  f\r\nd: 2\r\n";
    assert_eq!(
        read("a.yaml", text),
        [
            "1 ä = ü",
            "3 b.0 = € x",
            "4 b.1 = ",
            "6-7 c = é\nf\n",
            "8 d = 2"
        ]
    );
}

#[test]
fn documents_follow_each_other() {
    let text = "kind: A\n---\n# empty\n---\nkind: B\n...\n--- text\n---\n- C\n";
    assert_eq!(
        read("a.yaml", text),
        ["1 kind = A", "5 kind = B", "9 0 = C"]
    );
}

#[test]
fn aliases_have_the_lines_of_their_anchor() {
    let text = "x: &env\n  A: 1\n  B: &b two\ny:\n  environment: *env\n  c: *b\nz: [*b]\n";
    assert_eq!(
        read("compose.yaml", text),
        [
            "2 x.A = 1",
            "3 x.B = two",
            "2 y.environment.A = 1",
            "3 y.environment.B = two",
            "3 y.c = two",
            "3 z.0 = two"
        ]
    );
}

#[test]
fn merged_keys_come_after_own_and_earlier_ones() {
    let text = "a: &a {p: 1, q: 2}\nb: &b\n  <<: *a\n  q: 3\n  r: 4\nc: &c {r: 5, s: 6}\nd:\n  s: 7\n  <<: [*b, *c]\n";
    let entries = read("a.yaml", text);
    assert_eq!(entries[2..5], ["4 b.q = 3", "5 b.r = 4", "1 b.p = 1"]);
    assert_eq!(
        entries[7..],
        ["8 d.s = 7", "4 d.q = 3", "5 d.r = 4", "1 d.p = 1"]
    );
}

#[test]
fn keys_can_repeat_be_aliases_and_be_empty() {
    let text = "&k a: 1\na: 2\n*k : 3\n: 4\n? b\n: 5\n";
    assert_eq!(
        read("a.yaml", text),
        ["1 a = 1", "2 a = 2", "3 a = 3", "4  = 4", "6 b = 5"]
    );
}

#[test]
fn a_mapping_with_an_odd_key_is_its_source() {
    let text = "a: {{ .Values.image }}\nb: {{ include \"x\"\n  . }}\n? [c, d]\n: e\n";
    assert_eq!(
        read("a.yaml", &text[..text.find('?').unwrap()]),
        [
            "1 a = {{ .Values.image }}",
            "2-3 b = {{ include \"x\"\n  . }}",
        ]
    );
    assert_eq!(
        read("b.yaml", "a:\n  ? [c, d]\n  : e\nb: 1\n"),
        ["2-3 a = ? [c, d]\n  : e", "4 b = 1"]
    );
}

#[test]
fn a_compose_environment_list_is_a_mapping_too() {
    let text = "services:\n  web:\n    environment:\n      - A=1=2\n      - B\n      - C=\n    command:\n      - D=4\n";
    assert_eq!(
        read("compose.yaml", text),
        [
            "4 services.web.environment.0 = A=1=2",
            "4 services.web.environment.A = 1=2",
            "5 services.web.environment.1 = B",
            "6 services.web.environment.2 = C=",
            "6 services.web.environment.C = ",
            "8 services.web.command.0 = D=4",
        ]
    );
}

#[test]
fn a_template_is_read_until_it_is_no_yaml() {
    let text = "apiVersion: v1\nspec:\n  user: 0\n  ports: [80]\n  {{- if .Values.x }}\n  privileged: true\n  {{- end }}\n";
    let (entries, line) = failure("chart/templates/a.yaml", text);
    assert_eq!(
        entries,
        [
            "1 apiVersion = v1",
            "3 spec.user = 0",
            "4 spec.ports.0 = 80"
        ]
    );
    assert_eq!(line, 5);
}

#[test]
fn an_unknown_alias_is_an_error() {
    assert_eq!(
        failure("a.yaml", "a: 1\nb: *none\nc: 2\n"),
        (vec!["1 a = 1".to_owned()], 2)
    );
}

#[test]
fn an_anchor_to_itself_ends() {
    let error = flatten("a.yaml", "a: 1\nb: &b\n  c: [*b]\n", &LIMITS).unwrap_err();
    assert_eq!(error.reason, Reason::TooDeep(LIMITS.max_depth));
    assert_eq!(error.entries.len(), 1);
    let merged = read("a.yaml", "b: &b\n  c: 1\n  <<: *b\n");
    assert_eq!(merged, ["2 b.c = 1"]);
}

#[test]
fn alias_bombs_end() {
    let mut scalars = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    let mut hollow = "a0: &a0 []\n".to_owned();
    let mut merges = "a0: &a0 {x: 1}\n".to_owned();
    for n in 1..40 {
        let alias = format!("*a{}", n - 1);
        let list = [alias.as_str(); 9].join(", ");
        scalars += &format!("a{n}: &a{n} [{list}]\n");
        hollow += &format!("a{n}: &a{n} [{list}]\n");
        merges += &format!("a{n}: &a{n}\n  <<: [{list}]\n");
    }
    for bomb in [scalars, hollow] {
        let error = flatten("a.yaml", &bomb, &LIMITS).unwrap_err();
        assert_eq!(error.reason, Reason::TooManyEntries(LIMITS.max_entries));
    }
    // Merging a mapping twice adds nothing, so this is no bomb at all.
    assert_eq!(flatten("a.yaml", &merges, &LIMITS).unwrap().len(), 40);
}

#[test]
fn long_texts_behind_aliases_are_limited() {
    let bomb = format!(
        "a: &a {}\nb: [{}]\n",
        "x".repeat(10_000),
        "*a, ".repeat(500)
    );
    let limits = ConfigLimits {
        max_bytes: 100_000,
        ..LIMITS
    };
    let error = flatten("a.yaml", &bomb, &limits).unwrap_err();
    assert_eq!(error.reason, Reason::TooManyBytes(100_000));
    assert_eq!(error.entries.len(), 9);
}
