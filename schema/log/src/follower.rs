//! What a follower of the log signs (`RULES.md`, "The follower"): texts that everybody can make again,
//! of which the log keeps the signature lines alone.

use crate::hash::Hash;

/// First line of what a follower signs when it begins.
const BEGAN: &str = "boulier/follower/v1";
/// First line of what it signs of a draw.
const FOLLOWED: &str = "boulier/followed/v1";
/// Longest name of a finding.
const FINDING_MAX: usize = 64;

fn hex_of(hash: &Hash) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What a follower signs when it begins.
#[must_use]
pub fn beginning(house: &str, began: &Hash) -> String {
    format!("{BEGAN}\n{house}\n{}\n", hex_of(began))
}

/// What a follower says of a finished draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Said<'a> {
    /// The draw.
    pub draw: u64,
    /// Size and root of the tree just after it was finished.
    pub tree: (u64, Hash),
    /// Name of what is wrong first; empty where the follower agrees.
    pub finding: &'a str,
    /// The entry in which that is.
    pub entry: Option<u64>,
}

impl Said<'_> {
    /// What is signed, by who began so.
    #[must_use]
    pub fn text(&self, house: &str, began: &Hash) -> String {
        let (size, root) = (self.tree.0, hex_of(&self.tree.1));
        let (draw, began) = (self.draw, hex_of(began));
        let found = match (self.finding, self.entry) {
            ("", _) => "agrees".to_owned(),
            (finding, None) => format!("differs {finding}"),
            (finding, Some(entry)) => format!("differs {finding} {entry}"),
        };
        format!("{FOLLOWED}\n{house}\n{draw}\n{size}\n{root}\n{began}\n{found}\n")
    }

    /// Whether finding and entry are as they may stand in the log.
    #[must_use]
    pub fn is_well_formed(&self) -> bool {
        let is_name = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
        self.finding.len() <= FINDING_MAX
            && self.finding.bytes().all(is_name)
            && !(self.finding.is_empty() && self.entry.is_some())
    }
}
