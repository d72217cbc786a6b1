//! What a counter needs to make a slip and to say what it costs before central is asked.

use macro_rules_attribute::apply;

use crate::reply::DrawTime;
use crate::wall::PendingMessage;

/// A draw that is open for sale.
#[apply(reply!)]
pub struct SaleDraw {
    /// Number and time.
    pub draw: DrawTime,
    /// When sales close, UTC milliseconds by central's clock.
    pub closes_at_ms: i64,
}

/// Rules that govern draws on sale after the next one.
#[apply(reply!)]
pub struct LaterRules {
    /// Their version.
    pub version: u32,
    /// SHA-256 of their text, 64 hexadecimal digits.
    pub hash: String,
    /// The first draw on sale that they govern; the next ones too, up to other later rules.
    pub from_draw: u64,
}

/// `GET /api/v1/counter`: draws on sale and which rules govern them.
#[apply(reply!)]
pub struct CounterReply {
    /// Central's time, UTC milliseconds.
    pub central_ms: i64,
    /// The same day in the house's zone, `yyyy-mm-dd`: a draw of another day is said to be one.
    pub today: String,
    /// Name of the house.
    pub house_name: String,
    /// Sales are suspended for the whole house.
    pub sales_suspended: bool,
    /// Version of the rules that govern a ticket sold now; absent when there are none.
    pub rules_version: Option<u32>,
    /// SHA-256 of their text, 64 hexadecimal digits.
    pub rules_hash: Option<String>,
    /// Versions that govern a ticket whose first draw is a later one on sale, soonest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub later_rules: Vec<LaterRules>,
    /// The draws open for sale, soonest first.
    pub draws: Vec<SaleDraw>,
    /// Shift number of the open till at the device that asks.
    pub shift: Option<u64>,
    /// Badge of whoever opened it.
    pub shift_badge: Option<String>,
    /// A supervisor has stopped the device that asks: it sells nothing for now.
    #[serde(default)]
    pub stopped: bool,
    /// Messages that wait for the clerk of the device that asks, the oldest first; none in the
    /// last minute before a close of sales.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<PendingMessage>,
}
