//! The order in which facts can be worked out: what a fact builds on comes before it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Expressions, FactSpec, KindsFile, RubricError, SurfaceEntry};

/// One step of working out the facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The fact at this index.
    Fact(usize),
    /// The project's kind.
    Kind,
    /// The agent surface.
    Surface,
}

/// The variable that the kind sets.
const KIND: &str = "kind";
/// The variable that the surface sets.
const SURFACE: &str = "surface";

/// Orders all facts, the kind and the surface.
pub(super) fn order(
    facts: &[FactSpec],
    kinds: &KindsFile,
    surface: &[SurfaceEntry],
) -> Result<Vec<Step>, RubricError> {
    let mut nodes: BTreeMap<String, (Step, BTreeSet<String>)> = BTreeMap::new();
    for (index, fact) in facts.iter().enumerate() {
        nodes.insert(
            fact.id.get_ref().clone(),
            (Step::Fact(index), needs_of(fact)),
        );
    }
    let kind_conditions = kinds.kind.iter().filter_map(|k| k.when.as_deref());
    nodes.insert(KIND.to_owned(), (Step::Kind, roots(kind_conditions)));
    let surface_conditions = surface
        .iter()
        .flat_map(|s| &s.rung)
        .filter_map(|r| r.when.as_deref());
    nodes.insert(
        SURFACE.to_owned(),
        (Step::Surface, roots(surface_conditions)),
    );
    let mut sorter = Sorter {
        nodes: &nodes,
        done: BTreeSet::new(),
        open: Vec::new(),
        order: Vec::new(),
    };
    for name in nodes.keys() {
        sorter.visit(name)?;
    }
    Ok(sorter.order)
}

fn needs_of(fact: &FactSpec) -> BTreeSet<String> {
    let mut needs = roots(
        [fact.expr.as_deref(), fact.when.as_deref()]
            .into_iter()
            .flatten(),
    );
    needs.extend(
        fact.union
            .iter()
            .chain(&fact.in_files_with)
            .chain(&fact.not_in_files_with)
            .cloned(),
    );
    needs.extend(
        fact.near
            .iter()
            .chain(&fact.not_near)
            .map(|near| near.fact.clone()),
    );
    let follows = fact.followed_by.iter().chain(&fact.not_followed_by);
    needs.extend(follows.flat_map(|follow| [follow.fact.clone(), follow.until.clone()]));
    needs
}

/// First parts of all variables of `conditions`; what does not parse is reported by the check.
fn roots<'c>(conditions: impl Iterator<Item = &'c str>) -> BTreeSet<String> {
    let expressions = Expressions::new();
    let variables = conditions
        .filter_map(|c| expressions.variables_of_expression(c).ok())
        .flatten();
    variables
        .map(|v| v.split('.').next().unwrap_or_default().to_owned())
        .collect()
}

struct Sorter<'n> {
    nodes: &'n BTreeMap<String, (Step, BTreeSet<String>)>,
    done: BTreeSet<String>,
    open: Vec<String>,
    order: Vec<Step>,
}

impl Sorter<'_> {
    fn visit(&mut self, name: &str) -> Result<(), RubricError> {
        let Some((step, needs)) = self.nodes.get(name) else {
            return Ok(());
        };
        if self.done.contains(name) {
            return Ok(());
        }
        if let Some(at) = self.open.iter().position(|o| o == name) {
            let circle = self.open[at..].join(" → ");
            return Err(RubricError {
                file: "rubric".into(),
                line: None,
                message: format!("facts build on themselves: {circle}"),
            });
        }
        self.open.push(name.to_owned());
        for need in needs {
            self.visit(need)?;
        }
        self.open.pop();
        self.done.insert(name.to_owned());
        self.order.push(*step);
        Ok(())
    }
}
