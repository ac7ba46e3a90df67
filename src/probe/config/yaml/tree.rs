//! YAML documents as a tree in an arena, built from the parser's events.
//!
//! Nothing here recurses, and a text that breaks off or is over a limit leaves the tree of what
//! was read until then.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Span};

use crate::probe::config::collector::Stop;
use crate::probe::config::lines::LineIndex;
use crate::probe::config::{ConfigLimits, Reason};

/// Place of a node in [`Tree::nodes`].
pub type NodeId = usize;

/// Nodes of a tree, and of its expansion, for each entry that a file may have: more than an honest
/// file needs, and a bound for a text of many nodes and few scalars.
pub const NODES_PER_ENTRY: usize = 16;

/// What a node is.
#[derive(Debug)]
pub enum Content {
    /// A scalar; empty for null. So is a mapping with a key that is no scalar, by its source text:
    /// in practice that is a template's `{{ action }}`, which happens to be YAML.
    Scalar(String),
    /// A list.
    Sequence(Vec<NodeId>),
    /// Keys (scalars, or aliases of scalars) and values in their order; a key can occur twice.
    Mapping(Vec<(NodeId, NodeId)>),
    /// The node that an alias stands for; it can be an ancestor.
    Alias(NodeId),
}

/// A node and where its text stands.
#[derive(Debug)]
pub struct Node {
    /// What it is.
    pub content: Content,
    /// First and last line of its text.
    pub lines: (u32, u32),
}

/// All documents of a text.
#[derive(Debug, Default)]
pub struct Tree {
    /// The arena.
    pub nodes: Vec<Node>,
    /// The top node of each document.
    pub documents: Vec<NodeId>,
}

impl Tree {
    /// The node itself, or the one that it is an alias of.
    pub fn resolve(&self, id: NodeId) -> NodeId {
        match self.nodes[id].content {
            Content::Alias(target) => target,
            _ => id,
        }
    }

    /// Text of a scalar or of an alias of one.
    pub fn scalar(&self, id: NodeId) -> Option<&str> {
        match &self.nodes[self.resolve(id)].content {
            Content::Scalar(text) => Some(text),
            _ => None,
        }
    }
}

/// Reads `text` into a tree; with it, why reading ended early, if it did.
///
/// The parser holds to the letter of YAML 1.2 and refuses a closing bracket that stands no deeper
/// than the key that it belongs to; Compose, GitHub and most loaders accept it. Such a bracket is
/// moved up to the line before it, for the parser only.
pub fn parse(text: &str, limits: &ConfigLimits) -> (Tree, Option<Stop>) {
    let mut parsed = Cow::Borrowed(text);
    let mut bytes_left = REPARSED_BYTES;
    loop {
        let (tree, stop) = parse_strictly(text, &parsed, limits);
        let repair = |stop: &Stop| with_closing_bracket_moved(&parsed, text, stop.line);
        let repaired = stop.as_ref().and_then(repair);
        match (repaired, bytes_left.checked_sub(text.len())) {
            (Some(repaired), Some(left)) => {
                parsed = Cow::Owned(repaired);
                bytes_left = left;
            }
            _ => return (tree, stop),
        }
    }
}

/// Each repair reads the text again; this is how much reading they may cost.
const REPARSED_BYTES: usize = 4_000_000;

fn parse_strictly(text: &str, parsed: &str, limits: &ConfigLimits) -> (Tree, Option<Stop>) {
    let mut builder = Builder::new(text, limits);
    let stop = Parser::new_from_str(parsed).find_map(|event| builder.step(event).err());
    while let Some(open) = builder.open.pop() {
        builder.close_unfinished(&open);
    }
    (builder.tree, stop)
}

/// `parsed` with the line break before `line` of `text` blank, and the comment before that break,
/// when the line begins with a closing bracket.
fn with_closing_bracket_moved(parsed: &str, text: &str, line: u32) -> Option<String> {
    let index = usize::try_from(line).ok()?.checked_sub(1)?;
    let start = text
        .split_inclusive('\n')
        .take(index)
        .map(str::len)
        .sum::<usize>();
    let (before, rest) = (parsed.get(..start)?, parsed.get(start..)?);
    let bracket = rest.trim_start_matches([' ', '\t']).starts_with([']', '}']);
    let kept = before_comment(before.trim_end_matches(['\n', '\r']))?;
    let blanked = &before[kept.len()..];
    // Bytes and characters must both keep their places.
    let movable = bracket && !blanked.is_empty() && blanked.is_ascii();
    movable.then(|| format!("{kept}{}{rest}", " ".repeat(blanked.len())))
}

/// `text` without the comment at its end; `None` if a `#` may as well be in a quoted string.
fn before_comment(text: &str) -> Option<&str> {
    let last_line = text.rfind('\n').map_or(0, |newline| newline + 1);
    match text[last_line..].find(" #") {
        None => Some(text),
        Some(at) if text[last_line + at..].contains(['"', '\'']) => None,
        Some(at) => Some(&text[..last_line + at]),
    }
}

/// A list or mapping whose end was not yet read.
struct Open {
    node: NodeId,
    start: usize,
    /// The key that waits for its value.
    key: Option<NodeId>,
    has_odd_key: bool,
}

struct Builder<'t> {
    text: &'t str,
    lines: LineIndex,
    characters: Characters,
    limits: &'t ConfigLimits,
    /// By the parser's number; 0, which it gives to nodes without an anchor, is never asked for.
    anchors: BTreeMap<usize, NodeId>,
    open: Vec<Open>,
    tree: Tree,
}

impl<'t> Builder<'t> {
    fn new(text: &'t str, limits: &'t ConfigLimits) -> Self {
        Self {
            text,
            lines: LineIndex::new(text),
            characters: Characters::new(text),
            limits,
            anchors: BTreeMap::new(),
            open: Vec::new(),
            tree: Tree::default(),
        }
    }

    fn step(&mut self, event: Result<(Event<'_>, Span), ScanError>) -> Result<(), Stop> {
        let (event, span) = event.map_err(|error| {
            Stop::syntax(self.lines.line(self.offset(error.marker())), error.info())
        })?;
        let start = self.offset(&span.start);
        let range = start..self.offset(&span.end).max(start);
        match event {
            Event::Scalar(value, style, anchor, _) => {
                let id = self.scalar(&value, style, range)?;
                self.anchors.insert(anchor, id);
                self.attach(id);
            }
            Event::Alias(anchor) => {
                if let Some(&target) = self.anchors.get(&anchor) {
                    let id = self.node(Content::Alias(target), range)?;
                    self.attach(id);
                }
            }
            Event::SequenceStart(anchor, _) => {
                self.open(Content::Sequence(Vec::new()), anchor, range)?;
            }
            Event::MappingStart(anchor, _) => {
                self.open(Content::Mapping(Vec::new()), anchor, range)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(range.end),
            _ => {}
        }
        Ok(())
    }

    fn offset(&self, marker: &Marker) -> usize {
        self.characters.offset(marker.index()).min(self.text.len())
    }

    fn node(&mut self, content: Content, range: Range<usize>) -> Result<NodeId, Stop> {
        let lines = self.lines_of(range);
        let max_nodes = self.limits.max_entries.saturating_mul(NODES_PER_ENTRY);
        if self.tree.nodes.len() >= max_nodes {
            return Err(Stop {
                line: lines.0,
                reason: Reason::TooManyEntries(self.limits.max_entries),
            });
        }
        self.tree.nodes.push(Node { content, lines });
        Ok(self.tree.nodes.len() - 1)
    }

    /// Lines of the text in `range`, without the blanks around it: the parser ends a block scalar
    /// where the next token begins.
    fn lines_of(&self, range: Range<usize>) -> (u32, u32) {
        let text = &self.text[range.clone()];
        let start = range.start + (text.len() - text.trim_start().len());
        self.lines.lines(start..range.start + text.trim_end().len())
    }

    fn scalar(
        &mut self,
        value: &str,
        style: ScalarStyle,
        range: Range<usize>,
    ) -> Result<NodeId, Stop> {
        let quoted = matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted);
        if value.is_empty() && !quoted {
            return self.missing_value(range.start);
        }
        let null = style == ScalarStyle::Plain && matches!(value, "~" | "null" | "Null" | "NULL");
        let text = if null {
            String::new()
        } else {
            value.to_owned()
        };
        self.node(Content::Scalar(text), range)
    }

    /// A value that is not there. For the parser it stands at the token that comes instead; here,
    /// on the line of its key, or of the last text before it (the dash of a list).
    fn missing_value(&mut self, at: usize) -> Result<NodeId, Stop> {
        let before = self.text[..at].trim_end().len();
        let id = self.node(Content::Scalar(String::new()), before..before)?;
        if let Some(key) = self.open.last().and_then(|open| open.key) {
            let line = self.tree.nodes[key].lines.1;
            self.tree.nodes[id].lines = (line, line);
        }
        Ok(id)
    }

    fn open(&mut self, content: Content, anchor: usize, range: Range<usize>) -> Result<(), Stop> {
        let start = range.start;
        let node = self.node(content, range)?;
        if self.open.len() > self.limits.max_depth {
            let line = self.tree.nodes[node].lines.0;
            return Err(Stop {
                line,
                reason: Reason::TooDeep(self.limits.max_depth),
            });
        }
        self.anchors.insert(anchor, node);
        self.open.push(Open {
            node,
            start,
            key: None,
            has_odd_key: false,
        });
        Ok(())
    }

    fn close(&mut self, end: usize) {
        let Some(open) = self.open.pop() else { return };
        if open.has_odd_key {
            let range = open.start..end.max(open.start);
            self.tree.nodes[open.node].lines = self.lines_of(range.clone());
            let source = self.text[range].trim().to_owned();
            self.tree.nodes[open.node].content = Content::Scalar(source);
        }
        self.attach(open.node);
    }

    /// Keeps what was read of `open`, if that is anything.
    fn close_unfinished(&mut self, open: &Open) {
        let has_children = match &self.tree.nodes[open.node].content {
            Content::Sequence(items) => !items.is_empty(),
            Content::Mapping(pairs) => !pairs.is_empty(),
            _ => false,
        };
        if has_children && !open.has_odd_key {
            self.attach(open.node);
        }
    }

    /// Hands a whole node to the collection that it is in.
    fn attach(&mut self, id: NodeId) {
        let is_scalar = self.tree.scalar(id).is_some();
        let Some(open) = self.open.last_mut() else {
            self.tree.documents.push(id);
            return;
        };
        match &mut self.tree.nodes[open.node].content {
            Content::Sequence(items) => items.push(id),
            Content::Mapping(pairs) => match open.key.take() {
                Some(key) => pairs.push((key, id)),
                None => {
                    open.key = Some(id);
                    open.has_odd_key |= !is_scalar;
                }
            },
            Content::Scalar(_) | Content::Alias(_) => {}
        }
    }
}

/// Byte offsets of characters: the parser counts characters.
struct Characters {
    /// `None` for ASCII, where both are the same.
    offsets: Option<Vec<usize>>,
}

impl Characters {
    fn new(text: &str) -> Self {
        let offsets = || text.char_indices().map(|(at, _)| at).collect();
        Self {
            offsets: (!text.is_ascii()).then(offsets),
        }
    }

    /// Offset of character `index`; past the end for one that the text does not have.
    fn offset(&self, index: usize) -> usize {
        match &self.offsets {
            None => index,
            Some(offsets) => offsets.get(index).copied().unwrap_or(usize::MAX),
        }
    }
}
