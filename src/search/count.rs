//! Counts what ripgrep would print for one query and one file, with ripgrep's own searcher and printers.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use grep_printer::{StandardBuilder, SummaryBuilder, SummaryKind};
use grep_regex::RegexMatcher;
use grep_searcher::{
    BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkFinish, SinkMatch,
};

use serde::{Deserialize, Serialize};

use super::query::{Output, Query};

/// A query with what it takes to run it.
pub(super) struct Compiled {
    pub query: Query,
    pub matcher: RegexMatcher,
    /// ripgrep prints paths, because there are several or one is a folder.
    pub with_filename: bool,
    /// ripgrep maps the files into memory, because the scope is a few files. It then looks for NUL bytes elsewhere.
    pub memory_map: bool,
}

/// What one query prints for one file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Count {
    /// Printed lines that are not blank.
    pub lines: usize,
    /// Numbers of the matched lines, at most as many as asked for.
    pub places: Vec<u64>,
}

/// Searchers with their buffers; one for each thread.
#[derive(Default)]
pub(super) struct Counter {
    searchers: BTreeMap<(bool, bool, bool), Searcher>,
}

impl Counter {
    /// Runs `compiled` over `bytes`, the content of the file at `path`, noting at most `places` line numbers.
    pub fn count(
        &mut self,
        compiled: &Compiled,
        path: &str,
        bytes: &[u8],
        explicit: bool,
        places: usize,
    ) -> io::Result<Count> {
        let query = &compiled.query;
        // How far ripgrep gets in a binary file depends on the size of its buffer, which grows with the files before.
        // A new one makes the result the same every time.
        let mut new = bytes.contains(&b'\0').then(|| build(query));
        let searcher = new.as_mut().unwrap_or_else(|| self.searcher(query));
        // A file that the scope names is searched to its end, binary or not; one that was found is given up at a NUL.
        searcher.set_binary_detection(if explicit {
            BinaryDetection::convert(b'\0')
        } else {
            BinaryDetection::quit(b'\0')
        });
        let run = Run {
            searcher,
            compiled,
            path: Path::new(path),
            bytes,
            places,
        };
        match query.output {
            Output::Lines => run.lines(),
            Output::Counts => run.summary(SummaryKind::Count),
            Output::Paths => run.summary(SummaryKind::PathWithMatch),
        }
    }

    fn searcher(&mut self, query: &Query) -> &mut Searcher {
        let key = (query.invert_match, query.multiline, query.line_numbers);
        self.searchers.entry(key).or_insert_with(|| build(query))
    }
}

fn build(query: &Query) -> Searcher {
    let mut builder = SearcherBuilder::new();
    builder
        .invert_match(query.invert_match)
        .multi_line(query.multiline)
        .line_number(query.line_numbers)
        .build()
}

/// One query on one file.
struct Run<'a> {
    searcher: &'a mut Searcher,
    compiled: &'a Compiled,
    path: &'a Path,
    bytes: &'a [u8],
    places: usize,
}

impl Run<'_> {
    fn lines(mut self) -> io::Result<Count> {
        let mut builder = StandardBuilder::new();
        builder
            .path(self.compiled.with_filename)
            .only_matching(self.compiled.query.only_matching)
            .per_match_one_line(true);
        let mut printer = builder.build_no_color(PrintedLines::default());
        let sink = printer.sink_with_path(&self.compiled.matcher, self.path);
        let places = self.search(sink)?;
        Ok(Count {
            lines: printer.into_inner().into_inner().total(),
            places,
        })
    }

    fn summary(mut self, kind: SummaryKind) -> io::Result<Count> {
        let mut builder = SummaryBuilder::new();
        let mut printer = builder
            .kind(kind)
            .path(self.compiled.with_filename)
            .build_no_color(PrintedLines::default());
        let sink = printer.sink_with_path(&self.compiled.matcher, self.path);
        let places = self.search(sink)?;
        Ok(Count {
            lines: printer.into_inner().into_inner().total(),
            places,
        })
    }

    fn search<S: Sink<Error = io::Error>>(&mut self, printer: S) -> io::Result<Vec<u64>> {
        let mut places = Vec::new();
        let sink = Witness {
            printer,
            places: &mut places,
            limit: self.places,
        };
        if self.compiled.memory_map {
            self.searcher
                .search_slice(&self.compiled.matcher, self.bytes, sink)?;
        } else {
            self.searcher
                .search_reader(&self.compiled.matcher, self.bytes, sink)?;
        }
        Ok(places)
    }
}

/// Hands everything on to ripgrep's printer and notes where the matches are.
struct Witness<'a, S> {
    printer: S,
    places: &'a mut Vec<u64>,
    limit: usize,
}

impl<S: Sink> Sink for Witness<'_, S> {
    type Error = S::Error;

    fn matched(&mut self, searcher: &Searcher, matched: &SinkMatch<'_>) -> Result<bool, S::Error> {
        if let Some(line) = matched
            .line_number()
            .filter(|_| self.places.len() < self.limit)
        {
            self.places.push(line);
        }
        self.printer.matched(searcher, matched)
    }

    fn context(
        &mut self,
        searcher: &Searcher,
        context: &SinkContext<'_>,
    ) -> Result<bool, S::Error> {
        self.printer.context(searcher, context)
    }

    fn context_break(&mut self, searcher: &Searcher) -> Result<bool, S::Error> {
        self.printer.context_break(searcher)
    }

    fn binary_data(&mut self, searcher: &Searcher, offset: u64) -> Result<bool, S::Error> {
        self.printer.binary_data(searcher, offset)
    }

    fn begin(&mut self, searcher: &Searcher) -> Result<bool, S::Error> {
        self.printer.begin(searcher)
    }

    fn finish(&mut self, searcher: &Searcher, finish: &SinkFinish) -> Result<(), S::Error> {
        self.printer.finish(searcher, finish)
    }
}

/// Counts the lines written to it that hold more than white space, and keeps nothing.
#[derive(Default)]
struct PrintedLines {
    ended: usize,
    open: bool,
}

impl PrintedLines {
    fn total(&self) -> usize {
        self.ended + usize::from(self.open)
    }
}

impl io::Write for PrintedLines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.open |= piece
                .iter()
                .any(|byte| !byte.is_ascii_whitespace() && *byte != b'\x0b');
            if piece.ends_with(b"\n") {
                self.ended += usize::from(std::mem::take(&mut self.open));
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
