//! YAML: aliases expanded with the lines of their anchors, `<<` merged, all documents in order.

mod tree;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::Reason;
use super::collector::{Collector, Stop};
use tree::{Content, NODES_PER_ENTRY, NodeId, Tree, parse};

/// Adds the entries of `text`.
pub fn flatten(text: &str, collector: &mut Collector<'_>) -> Result<(), Stop> {
    let (tree, broken) = parse(text, collector.limits);
    let nodes_left = collector.limits.max_entries.saturating_mul(NODES_PER_ENTRY);
    let mut walk = Walk {
        tree: &tree,
        path: Vec::new(),
        nodes_left,
        collector,
    };
    for &document in &tree.documents {
        walk.node(document)?;
    }
    broken.map_or(Ok(()), Err)
}

struct Walk<'t, 'c, 'l> {
    tree: &'t Tree,
    path: Vec<Cow<'t, str>>,
    /// What is left of the budget that ends alias bombs.
    nodes_left: usize,
    collector: &'c mut Collector<'l>,
}

impl<'t> Walk<'t, '_, '_> {
    /// Recursion is as deep as the path, which the collector's limit bounds.
    fn node(&mut self, id: NodeId) -> Result<(), Stop> {
        let id = self.tree.resolve(id);
        let node = &self.tree.nodes[id];
        self.spend(node.lines.0)?;
        match &node.content {
            Content::Sequence(items) if !items.is_empty() && !self.too_deep() => {
                for (index, item) in items.iter().enumerate() {
                    self.child(Cow::Owned(index.to_string()), *item)?;
                }
                Ok(())
            }
            Content::Mapping(pairs) if !pairs.is_empty() && !self.too_deep() => {
                for (key, value) in self.merged_pairs(id)? {
                    self.child(Cow::Borrowed(key), value)?;
                }
                Ok(())
            }
            Content::Scalar(text) => self.scalar(text, node.lines),
            _ => self.scalar("", (node.lines.0, node.lines.0)),
        }
    }

    /// One step over the limit is enough for the collector to refuse it.
    fn too_deep(&self) -> bool {
        self.path.len() > self.collector.limits.max_depth
    }

    fn child(&mut self, key: Cow<'t, str>, value: NodeId) -> Result<(), Stop> {
        self.path.push(key);
        let outcome = self.node(value);
        self.path.pop();
        outcome
    }

    fn spend(&mut self, line: u32) -> Result<(), Stop> {
        let reason = Reason::TooManyEntries(self.collector.limits.max_entries);
        self.nodes_left = self
            .nodes_left
            .checked_sub(1)
            .ok_or(Stop { line, reason })?;
        Ok(())
    }

    fn scalar(&mut self, text: &str, lines: (u32, u32)) -> Result<(), Stop> {
        // A document that is nothing but a scalar has no key to be found by.
        if self.path.is_empty() {
            return Ok(());
        }
        self.collector.add(&self.path, text, lines)?;
        self.environment_variable(text, lines)
    }

    /// Compose lists its environment as `- NAME=value`, too; a probe asks for `environment.NAME`.
    fn environment_variable(&mut self, text: &str, lines: (u32, u32)) -> Result<(), Stop> {
        let [.., list, _] = self.path.as_slice() else {
            return Ok(());
        };
        let Some((name, value)) = text.split_once('=').filter(|_| list == "environment") else {
            return Ok(());
        };
        let mut path: Vec<&str> = self.path.iter().map(AsRef::as_ref).collect();
        path.pop();
        path.push(name);
        self.collector.add(&path, value, lines)
    }

    /// The pairs of a mapping, then those that `<<` adds: what stands in the mapping itself comes
    /// before what it merges, and an earlier merge before a later one.
    fn merged_pairs(&mut self, mapping: NodeId) -> Result<Vec<(&'t str, NodeId)>, Stop> {
        let tree = self.tree;
        let mut found = Vec::new();
        let mut keys = BTreeSet::new();
        let mut visited = BTreeSet::new();
        let mut waiting = vec![mapping];
        while let Some(id) = waiting.pop() {
            self.spend(tree.nodes[id].lines.0)?;
            let Content::Mapping(pairs) = &tree.nodes[id].content else {
                continue;
            };
            if !visited.insert(id) {
                continue;
            }
            let mut merges = Vec::new();
            for &(key, value) in pairs {
                self.spend(tree.nodes[key].lines.0)?;
                match tree.scalar(key).unwrap_or_default() {
                    "<<" => merges.extend(merged_mappings(tree, value)),
                    key if keys.insert(key) || id == mapping => found.push((key, value)),
                    _ => {}
                }
            }
            waiting.extend(merges.into_iter().rev());
        }
        Ok(found)
    }
}

/// The mappings that `<<: value` names: one, or a list of them.
fn merged_mappings(tree: &Tree, value: NodeId) -> Vec<NodeId> {
    let value = tree.resolve(value);
    match &tree.nodes[value].content {
        Content::Sequence(items) => items.iter().map(|item| tree.resolve(*item)).collect(),
        _ => vec![value],
    }
}
