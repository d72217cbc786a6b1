//! Problems (RFC 9457): a refusal or a fault as `application/problem+json`.

use macro_rules_attribute::apply;

use crate::reply::Bilingual;

/// A refusal or a fault, fit for the person who reads it.
#[apply(reply!)]
pub struct Problem {
    /// Stable name as a relative reference, such as `/problems/draw_closed`.
    #[serde(rename = "type")]
    pub kind: String,
    /// HTTP status.
    pub status: u16,
    /// What is wrong and what to do, French first.
    pub title: Bilingual,
    /// Selection that is at fault, A is 0.
    pub selection: Option<u8>,
    /// Field that is at fault.
    pub field: Option<String>,
    /// The same command may succeed later.
    pub retry: bool,
    /// The draw that could be sold instead, for a closed draw.
    pub next_draw: Option<u64>,
}

impl Problem {
    /// The stable name without the path, such as `draw_closed`.
    pub fn name(&self) -> &str {
        self.kind.rsplit('/').next().unwrap_or(&self.kind)
    }
}
