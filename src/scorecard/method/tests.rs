use super::*;

fn refused(from: &str, to: &str) -> String {
    assert!(BUILT_IN.contains(from), "{from}");
    Method::from_toml(&BUILT_IN.replacen(from, to, 1))
        .unwrap_err()
        .to_string()
}

#[test]
fn the_built_in_figures_are_those_of_the_method() {
    let method = Method::built_in().unwrap();
    let earned = |parameter, rung| method.earned(parameter, Level::Rung(rung)).thousandths();
    assert_eq!(earned(ParameterId::S, 1), 75);
    assert_eq!(earned(ParameterId::C, 3), 225);
    assert_eq!(earned(ParameterId::D, 1), 50);
    assert_eq!(earned(ParameterId::B, 4), 200);
    assert_eq!(method.cap_max("G1").thousandths(), 500);
    assert_eq!(method.cap_max("C8-MODELSECRETS").thousandths(), 250);
    assert_eq!(method.cap_max("G3").thousandths(), 250);
    assert_eq!(method.caps.len(), 12);
}

#[test]
fn a_cap_that_names_a_criterion_belongs_to_it() {
    let method = Method::built_in().unwrap();
    for cap in &method.caps {
        match cap.criterion {
            Some(id) => assert!(cap.id.starts_with(&format!("{id}-"))),
            None => assert!(cap.id.starts_with('G')),
        }
    }
}

#[test]
fn bands_begin_at_their_first_tenth() {
    let method = Method::built_in().unwrap();
    let label = |tenths: u32| &*method.band(Points::from_thousandths(tenths * 100)).label;
    assert_eq!(
        [
            label(100),
            label(85),
            label(84),
            label(70),
            label(69),
            label(50),
            label(49),
            label(0)
        ],
        [
            "Hardened", "Hardened", "Strong", "Strong", "Moderate", "Moderate", "Minimal",
            "Minimal"
        ]
    );
}

#[test]
fn coverage_and_default_are_held_to_strength() {
    let method = Method::built_in().unwrap();
    assert_eq!(method.highest_beside(Level::Rung(0)), 1);
    assert_eq!(method.highest_beside(Level::Rung(4)), 4);
    assert_eq!(method.highest_beside(Level::Absent), 4);
}

#[test]
fn wrong_figures_are_refused_with_their_place() {
    assert!(refused("S = 0.30", "S = 0.32").contains("sum to 1.020"));
    assert!(refused("S = 0.30", "S = 0.302").contains("weights.S"));
    assert!(refused("from = 7.0", "from = 9.0").contains("highest to the lowest"));
    assert!(refused("from = 0.0", "from = 1.0").contains("start at 0.0"));
    assert!(refused("id = \"G2\"", "id = \"G1\"").contains("cap G1 stands twice"));
    assert!(refused("id = \"C1\"", "id = \"C2\"").contains("where C1 belongs"));
    assert!(refused("[limits]", "[limit]").contains("line"));
}
