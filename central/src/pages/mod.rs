//! The pages that central serves: hall monitor, ticket check, draws, prizes, audit.
//!
//! A page is a function from a plain view (what is to be said) and a language to HTML. Nothing
//! here reads a clock, a database or a request, so each state of each page can be rendered in a
//! test. French comes first on every surface; the hall monitor shows both languages at once, the
//! other pages have English one touch away.
//!
//! What `/live` must say for the hall monitor (`text/event-stream`, named events, JSON):
//!
//! | event | data |
//! |---|---|
//! | `snapshot` | [`keno_wire::reply::Snapshot`]: always first; `seq` is that of the last event that it contains |
//! | `draw` | `{"seq", "draw": DrawView, "role": "current" \| "next" \| "last"}` |
//! | `ball` | `{"seq", "draw", "position", "number"}`; `position` counts from 1 |
//! | `hb` | `{"seq", "central_ms"}` every 2 s; `seq` **repeats** that of the last `draw` or `ball` |
//!
//! `draw` and `ball` count up by one; any gap makes the monitor ask for a new snapshot. A `draw`
//! that becomes `current` is sent before its first `ball`; once official it may stay `current`
//! until the next one closes. Six seconds without any event are a lost connection.
//!
//! Pages hold no inline script and no inline style: [`CONTENT_SECURITY_POLICY`] forbids both, and
//! anything that is not of this host.

mod assets;
mod audit;
mod board;
mod check;
mod draws;
mod format;
mod home;
mod lang;
mod page;
mod prizes;
mod verdict;
pub mod view;
mod words;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

pub use assets::{Asset, asset, asset_url};
pub use audit::{render_audit, render_sign_in};
pub use board::{BoardState, render_board};
pub use check::render_check;
pub use draws::{check_commands, render_draw, render_draws};
pub use format::{control_number, date, draw_number, money, money_short};
pub use home::{render_home, render_message};
pub use lang::Lang;
pub use prizes::render_prizes;
pub use verdict::{VERDICTS, Verdict, verdict};
pub use words::{fact_on_sheets, tender_in_words};

/// The policy to be sent with every page (`Content-Security-Policy`): scripts, styles, fonts and
/// connections of this host only, nothing inline, in no frame.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     font-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; \
     base-uri 'none'; frame-ancestors 'none'";

/// A page could not be rendered: a fault of this program, never of what was asked.
#[derive(Debug, thiserror::Error)]
#[error("a page could not be rendered")]
pub struct PageFault(#[from] askama::Error);
