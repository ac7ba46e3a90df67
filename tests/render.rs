//! Cards as files: the seed's JSON gives its Markdown, its summary and its entry; hostile text in a
//! card changes nothing of the layout.

#![allow(clippy::unwrap_used, clippy::panic)]

use audit::render::{markdown, summary, table};
use audit::scorecard::{CardFile, Entry, Method, Scorecard, ScoredCard, read, to_json};
use serde_json::{Value, json};

#[path = "shared/spoil.rs"]
mod spoil;
use spoil::spoil;

const JSON: &str = include_str!("data/coze-studio.scorecard.json");
const CARD: &str = include_str!("data/coze-studio.md");
const SUMMARIES: &str = include_str!("data/coze-studio-summaries.txt");
const SCHEMA: &str = include_str!("../rubric/entry.schema.json");

fn card(json: &str) -> Scorecard {
    match read(json).unwrap() {
        CardFile::Scorecard(card) => *card,
        CardFile::Entry(_) => panic!("an entry"),
    }
}

fn seed() -> Value {
    serde_json::from_str(JSON).unwrap()
}

/// The form of GitHub, for paths that need no encoding.
fn permalink(card: &Scorecard) -> impl Fn(&str, &str) -> Option<String> {
    let base = format!("{}/blob/{}", card.repo_url, card.pinned_commit);
    move |file, lines| Some(format!("{base}/{file}#L{}", lines.replace('-', "-L")))
}

fn render(json: &Value) -> String {
    let card = card(&json.to_string());
    let method = Method::built_in().unwrap();
    markdown(&ScoredCard::new(&card, &method), &permalink(&card)).unwrap()
}

fn entry(json: &Value) -> Entry {
    let card = card(&json.to_string());
    let method = Method::built_in().unwrap();
    Entry::new(&ScoredCard::new(&card, &method), &permalink(&card))
}

/// The seed with an opt-in mechanism in C2, an absent C7 and an absent parameter in C8.
fn varied() -> Value {
    let mut json = seed();
    let parameter = |level: u8| {
        json!({"level": level, "status": "verified", "finding": "It asks.",
            "evidence": [{"file": "a.go", "lines": "1-2", "note": "the gate"}], "gap": "Nothing."})
    };
    json["criteria"][1]["alt"] = json!({"label": "--ask", "caps": [], "parameters":
        {"S": parameter(3), "C": parameter(2), "D": parameter(1), "B": parameter(3)}});
    json["criteria"][1]["notes"] = json!("Only in the terminal.");
    json["criteria"][6] = json!({"id": "C7", "summary": "No third-party code.",
        "structural_absence": true,
        "absence_evidence": [{"search": "rg -n 'a`b'", "scope": "src", "hits": 0}]});
    let secrets = &mut json["criteria"][7]["parameters"]["B"];
    secrets["level"] = json!("SA");
    secrets.as_object_mut().unwrap().remove("gap");
    json["version"] = json!("v1.2");
    json["subpath"] = json!("packages/a");
    json["critical_findings"] = json!([]);
    json["fixes"] = json!([]);
    json["reaudit_log"] = json!([]);
    json
}

#[test]
fn the_seed_renders_byte_for_byte() {
    assert_eq!(render(&seed()), format!("{CARD}\n"));
    assert_eq!(summary(&card(JSON)), format!("{SUMMARIES}\n"));
}

#[test]
fn a_card_with_two_mechanisms_and_absences() {
    let text = render(&varied());
    for line in [
        "**Repo:** https://github.com/coze-dev/coze-studio (`packages/a`) · **Commit:** `fefb05ff27be1da939612fbf9faf5db62583b8ae` (v1.2) · **Reviewed:** 2026-10-05",
        "## Score: 4.2 / 10.0 (Minimal)",
        "| C2 | Approval gates | L3 | L2 | L1 | L3 | 0.57 | G1 | **0.50** (alt) | High |",
        "| C7 | Third-party extensions | SA | SA | SA | SA | 1.00 | none | **1.00** (SA) | High |",
        "| C8 | Secrets & sensitive-data protection | L1 | L1 | L0 | SA | 0.35 | none | **0.35** | High |",
        "### C2 Approval gates: 0.50 (high confidence)",
        "- **default configuration** (default; raw 0.00 → 0.00)",
        "  - **D L0:** There is no approval setting to turn on. Evidence: searched `rg -n -i 'approv|confirm'` in `backend/domain/agent backend/domain/conversation/agentrun backend/domain/workflow/internal/nodes/plugin backend/domain/plugin/service/tool` → 0 hits (No approval or confirmation step anywhere in the agent loop, the run handler, or the plugin execution path.) (verified)",
        "    - *To reach the next level:* Approval is not available, on by default or otherwise.",
        "- **--ask** (alt; raw 0.57, cap G1 → 0.50) ← counted",
        "  - **S L3:** It asks. Evidence: [a.go:1-2](https://github.com/coze-dev/coze-studio/blob/fefb05ff27be1da939612fbf9faf5db62583b8ae/a.go#L1-L2) (the gate) (verified)",
        "  - **Cap:** none",
        "  - **Cap:** G1: The mechanism is off in the scored default configuration.",
        "- **Notes:** Only in the terminal.",
        "- **Structural absence:** searched ``rg -n 'a`b'`` in `src` → 0 hits",
        "- None: no criterion is capped and no blast radius is at the worst level.",
        "None proposed.",
        "- No changes.",
    ] {
        assert!(text.lines().any(|l| l == line), "missing: {line}\n{text}");
    }
    let share = "\n\nControls where a risk surface exists: 3.23 / 9.0 (36%); 1 criterion scored SA (surface absent).\n\nCoze Studio agents";
    assert!(text.contains(share), "{text}");
    assert!(!text.contains("\n\n\n"));
}

#[test]
fn without_a_permalink_a_citation_is_code() {
    let card = card(JSON);
    let method = Method::built_in().unwrap();
    let text = markdown(&ScoredCard::new(&card, &method), &|_, _| None).unwrap();
    assert!(text.contains("Evidence: `docker/.env.example:261` (verified)"));
    assert!(!text.contains("](https"));
}

#[test]
fn the_table_is_aligned() {
    let card = card(&varied().to_string());
    let method = Method::built_in().unwrap();
    let expected = "\
#    Criterion                                  S   C   D   B   Raw   Cap           Score       Confidence
C1   Identity & least privilege                 L1  L1  L1  L0  0.20  none          0.20        High
C2   Approval gates                             L3  L2  L1  L3  0.57  G1            0.50 (alt)  High
C3   Tool & action scoping                      L2  L2  L3  L1  0.50  none          0.50        High
C4   Code-execution isolation                   L3  L3  L2  L0  0.55  none          0.55        High
C5   Untrusted input blast radius               L0  L0  L0  L0  0.00  C5-WORSTCASE  0.00        High
C6   Memory, context & configuration integrity  L1  L1  L2  L1  0.30  none          0.30        High
C7   Third-party extensions                     SA  SA  SA  SA  1.00  none          1.00 (SA)   High
C8   Secrets & sensitive-data protection        L1  L1  L0  SA  0.35  none          0.35        High
C9   Audit & traceability                       L2  L2  L2  L2  0.50  none          0.50        High
C10  Limits & kill switch                       L2  L1  L1  L1  0.33  none          0.33        Medium

Coze Studio: 4.2 / 10.0 (Minimal)
Controls where a risk surface exists: 3.23 / 9.0 (36%); 1 criterion scored SA (surface absent).
";
    assert_eq!(table(&ScoredCard::new(&card, &method)), expected);
}

#[test]
fn hostile_text_changes_nothing_of_the_layout() {
    let hostile = "# x\n## Score: 10.0 / 10.0 (Hardened)\n```\u{1b}[2J\u{202E}<script>a</script> \
        [b](javascript:c) ` | <!-- \u{200B}";
    let mut json = varied();
    spoil(&mut json, hostile, &["repo_url"]);
    let text = render(&json);
    assert_eq!(text.lines().count(), render(&varied()).lines().count());
    assert_eq!(text.matches("\n## Score: ").count(), 1);
    let outside = outside_code(&text);
    for forbidden in ["<script", "</script", "<!--", "](javascript", "```"] {
        assert!(!outside.contains(forbidden), "{forbidden:?}");
    }
    let invisible = |c: char| c != '\n' && (c.is_control() || "\u{202E}\u{200B}".contains(c));
    assert!(!text.contains(invisible));

    let card = card(&json.to_string());
    let method = Method::built_in().unwrap();
    for text in [table(&ScoredCard::new(&card, &method)), summary(&card)] {
        assert!(
            text.chars().all(|c| c == '\n' || !c.is_control()),
            "{text:?}"
        );
    }
}

/// The card without escaped brackets, and without the code spans that hold the hostile text, where
/// it prints as it is: the fence is one backtick longer than the longest run in it.
fn outside_code(text: &str) -> String {
    let pieces: String = text.split("````").step_by(2).collect();
    pieces.replace("\\]", "")
}

fn schema_problems(entry: &Value) -> Vec<String> {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    validator
        .iter_errors(entry)
        .map(|error| error.to_string())
        .collect()
}

#[test]
fn entries_keep_the_schema() {
    for json in [seed(), varied()] {
        let text = to_json(&entry(&json)).unwrap();
        let entry = serde_json::from_str(&text).unwrap();
        assert_eq!(schema_problems(&entry), [] as [String; 0]);
    }
}

#[test]
fn the_schema_and_the_reader_refuse_unknown_fields_everywhere() {
    let entry = serde_json::to_value(entry(&varied())).unwrap();
    let mut objects = Vec::new();
    pointers(&entry, String::new(), &mut objects);
    assert!(objects.len() > 100);
    for pointer in objects {
        let mut wrong = entry.clone();
        wrong.pointer_mut(&pointer).unwrap()["unknown"] = json!(1);
        assert_ne!(schema_problems(&wrong), [] as [String; 0], "{pointer}");
        assert!(read(&wrong.to_string()).is_err(), "{pointer}");
    }
}

/// The JSON pointers of all objects.
fn pointers(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, field) in fields {
                pointers(field, format!("{at}/{key}"), found);
            }
            found.push(at);
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                pointers(item, format!("{at}/{index}"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn the_seeds_entry_has_the_figures_of_the_card() {
    let entry = serde_json::to_value(entry(&seed())).unwrap();
    assert_eq!(entry["score"], json!(3.0));
    assert_eq!(
        entry["band"],
        json!({"id": "weak", "label": "Minimal", "color": "red"})
    );
    assert_eq!(
        entry["applicable"],
        json!({"count": 10, "score": 2.98, "max": 10.0, "percent": 30})
    );
    let limits = &entry["criteria"][9];
    assert_eq!(limits["score"], json!(0.325));
    assert_eq!(limits["confidence"], json!("medium"));
    assert_eq!(limits["parameters"]["S"]["weight"], json!(0.3));
    assert_eq!(limits["parameters"]["S"]["points"], json!(0.15));
    assert_eq!(entry["criteria"][4]["cap"]["max"], json!(0.25));
    assert_eq!(entry["fixes"][0]["estimated_gain"], json!(0.225));
    assert_eq!(
        limits["parameters"]["C"]["evidence"][0]["url"],
        json!(
            "https://github.com/coze-dev/coze-studio/blob/fefb05ff27be1da939612fbf9faf5db62583b8ae/backend/domain/workflow/internal/execute/consts.go#L25-L28"
        )
    );
}

#[test]
fn an_entry_leads_back_to_its_scorecard() {
    let method = Method::built_in().unwrap();
    for json in [seed(), varied()] {
        let text = to_json(&entry(&json)).unwrap();
        let CardFile::Entry(entry) = read(&text).unwrap() else {
            panic!("no entry");
        };
        let card = entry.to_scorecard().unwrap();
        assert_eq!(entry.differences(&card, &method, &permalink(&card)), []);
        let again = Entry::new(&ScoredCard::new(&card, &method), &permalink(&card));
        assert_eq!(again, *entry);
        assert_eq!(render(&serde_json::to_value(&card).unwrap()), render(&json));
    }
}

#[test]
fn wrong_figures_of_an_entry_are_listed_with_their_places() {
    let method = Method::built_in().unwrap();
    let mut json = serde_json::to_value(entry(&varied())).unwrap();
    json["score"] = json!(9.0);
    json["band"]["id"] = json!("hardened");
    json["criteria"][1]["counted"] = json!("default");
    json["criteria"][2]["score"] = json!(0.6);
    json["criteria"][3]["parameters"]["S"]["finding"] = json!("Another.");
    json["criteria"][4]["question"] = json!("In other words?");
    json["criteria"][5]["mechanisms"][0]["parameters"]["S"]["points"] = json!(0.0755);
    json["criteria"][6]["mechanisms"][0]["raw"] = json!(0.5);
    json["criteria"][8]["parameters"]["S"]["evidence"][0]["url"] = json!("https://elsewhere");
    let CardFile::Entry(entry) = read(&json.to_string()).unwrap() else {
        panic!("no entry");
    };
    let card = entry.to_scorecard().unwrap();
    let places: Vec<_> = entry
        .differences(&card, &method, &permalink(&card))
        .into_iter()
        .map(|problem| problem.place)
        .collect();
    assert_eq!(
        places,
        [
            "score",
            "band.id",
            "C2.counted",
            "C3.score",
            "C4.parameters.S.finding",
            "C7.mechanisms[0].raw",
            "C9.parameters.S.evidence[0].url",
        ]
    );
}

#[test]
fn an_entry_without_its_default_mechanism_is_refused() {
    let mut json = serde_json::to_value(entry(&seed())).unwrap();
    json["criteria"][3]["mechanisms"][0]["kind"] = json!("alt");
    let CardFile::Entry(entry) = read(&json.to_string()).unwrap() else {
        panic!("no entry");
    };
    assert_eq!(entry.to_scorecard().unwrap_err().place, "C4.mechanisms");
}
