//! What stands on a paper.

/// One character and its style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The character.
    pub character: char,
    /// Printed darker.
    pub bold: bool,
    /// Times the width.
    pub width: u8,
    /// Times the height.
    pub height: u8,
}

/// Where a row stands between the margins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// At the left margin.
    Left,
    /// In the middle.
    Centre,
    /// At the right margin.
    Right,
}

/// One row of a paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    /// Characters.
    Text {
        /// From the left.
        cells: Vec<Cell>,
        /// Where they stand.
        side: Side,
    },
    /// Empty lines.
    Blank(u8),
    /// A QR of model 2.
    Qr {
        /// What it says.
        payload: String,
        /// `L`, `M`, `Q` or `H`.
        level: char,
        /// Dots of a module.
        module_dots: u8,
        /// Where it stands.
        side: Side,
    },
    /// Interleaved 2 of 5.
    Itf {
        /// What it says.
        digits: String,
        /// Dots of a narrow bar.
        bar_dots: u8,
        /// Height in dots.
        height: u8,
        /// Where it stands.
        side: Side,
    },
}

impl Row {
    /// The characters of a row of text.
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Text { cells, .. } => Some(cells.iter().map(|cell| cell.character).collect()),
            _ => None,
        }
    }
}

/// A paper, or what came out of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// Printable dots of a line.
    pub dots: usize,
    /// Rows from the leading edge.
    pub rows: Vec<Row>,
    /// It was cut off; else it hangs in the printer, or was torn.
    pub is_cut: bool,
}

impl Sheet {
    /// An empty paper.
    pub const fn new(dots: usize) -> Self {
        Self {
            dots,
            rows: Vec::new(),
            is_cut: false,
        }
    }

    /// All rows of text.
    pub fn texts(&self) -> Vec<String> {
        self.rows.iter().filter_map(Row::text).collect()
    }

    /// Everything that can be read on the paper, in its order, what the codes say included: a
    /// machine without a scanner reads them here.
    pub fn reading(&self) -> Vec<String> {
        self.rows
            .iter()
            .filter_map(|row| match row {
                Row::Text { .. } => row.text(),
                Row::Qr { payload, .. } => Some(format!("QR: {payload}")),
                Row::Itf { digits, .. } => Some(format!("ITF: {digits}")),
                Row::Blank(_) => None,
            })
            .collect()
    }

    /// What all QR symbols say.
    pub fn qr_payloads(&self) -> Vec<&str> {
        self.rows
            .iter()
            .filter_map(|row| match row {
                Row::Qr { payload, .. } => Some(payload.as_str()),
                _ => None,
            })
            .collect()
    }

    /// What all bar codes say.
    pub fn itf_digits(&self) -> Vec<&str> {
        self.rows
            .iter()
            .filter_map(|row| match row {
                Row::Itf { digits, .. } => Some(digits.as_str()),
                _ => None,
            })
            .collect()
    }
}
