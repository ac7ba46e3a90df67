//! Line numbers of byte offsets.

/// Where the lines of a text begin; a line ends at `\n`, as in every editor and in ripgrep.
pub struct LineIndex {
    newlines: Vec<usize>,
}

impl LineIndex {
    /// Indexes `text`.
    pub fn new(text: &str) -> Self {
        let newlines = text
            .bytes()
            .enumerate()
            .filter(|(_, b)| *b == b'\n')
            .map(|(at, _)| at)
            .collect();
        Self { newlines }
    }

    /// The 1-based line that holds byte `offset` (a newline belongs to the line that it ends).
    pub fn line(&self, offset: usize) -> u32 {
        let before = self.newlines.partition_point(|newline| *newline < offset);
        u32::try_from(before).unwrap_or(u32::MAX - 1) + 1
    }

    /// The lines from the first to the last byte of `span`; an empty span is on one line.
    pub fn lines(&self, span: std::ops::Range<usize>) -> (u32, u32) {
        let last = span.end.saturating_sub(1).max(span.start);
        (self.line(span.start), self.line(last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_map_to_lines() {
        let index = LineIndex::new("ab\ncd\r\n\nx");
        let lines: Vec<u32> = (0..=9).map(|offset| index.line(offset)).collect();
        assert_eq!(lines, [1, 1, 1, 2, 2, 2, 2, 3, 4, 4]);
    }

    #[test]
    fn a_span_ends_where_its_last_byte_is() {
        let index = LineIndex::new("ab\ncd\nx");
        assert_eq!(index.lines(0..3), (1, 1));
        assert_eq!(index.lines(1..5), (1, 2));
        assert_eq!(index.lines(3..3), (2, 2));
    }
}
