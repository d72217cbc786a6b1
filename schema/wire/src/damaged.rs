//! Papers whose code cannot be read (s. 83): what is typed from them, and their files.

use macro_rules_attribute::apply;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::reply::{Bilingual, CheckReply};
use crate::request::SecondPerson;

/// What is legible on a paper beside its control number; what is not is absent.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PaperReading {
    /// First draw.
    pub first_draw: Option<u64>,
    /// Last draw.
    pub last_draw: Option<u64>,
    /// Price of the ticket, in cents.
    pub total_cents: Option<i64>,
    /// Name of the terminal that sold it, as printed.
    pub terminal: Option<String>,
    /// All numbers of one selection, kings too; none if none is legible.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<u8>,
}

/// `POST /api/v1/damaged/readings`: all that a paper says but its code.
#[apply(request!)]
pub struct ReadingRequest {
    /// The whole control number.
    pub number: String,
    /// What else stands there: nothing may be absent.
    pub reading: PaperReading,
    /// The second person, who looks at the paper: at the same screen.
    pub second: SecondPerson,
}

/// Reply to what was typed from a paper: it agrees.
#[apply(reply!)]
pub struct ReadingReply {
    /// What stands for the code of the ticket at this till until the shift ends: `#` and a leaf.
    pub code: String,
    /// What the ticket comes to.
    pub check: CheckReply,
}

/// `POST /api/v1/damaged/files`: a paper is kept, and others decide about it.
#[apply(request!)]
pub struct OpenFileRequest {
    /// The 16 digits of the control number, `?` for each that is not legible.
    pub number: String,
    /// What else is legible.
    #[serde(default)]
    pub reading: PaperReading,
    /// Who presents it, as told.
    pub presented_by: String,
    /// What was seen of the paper.
    pub note: String,
}

/// `POST /api/v1/damaged/files/{number}/judgement`: two people, or three, decide.
#[apply(request!)]
pub struct JudgeFileRequest {
    /// Why nothing is paid: `not_one_ticket`, `not_genuine`, `no_prize`, `withdrawn_or_paid`,
    /// `late` or `other`; absent if the ticket is paid.
    pub refused: Option<String>,
    /// SHA-256 of the picture of the paper, in 64 hexadecimal digits.
    pub picture: String,
    /// What was seen, in words.
    pub note: String,
    /// Second person, at the same screen.
    pub second: SecondPerson,
    /// Third person, at the same screen: from the amount of the rules on.
    pub third: Option<SecondPerson>,
}

/// `POST /api/v1/presentations/afterwards`: a ticket was presented while nothing could be entered.
#[apply(request!)]
pub struct AfterwardsRequest {
    /// Claim code, or control number and secret.
    pub code: String,
    /// When it was presented, UTC milliseconds; absent where `presented_at` says it.
    pub presented_at_ms: Option<i64>,
    /// When it was presented, by the house's clock: `HHMM`, or `DDHHMM` with the day of the month. It is
    /// the last time that it was so.
    pub presented_at: Option<String>,
    /// Second person.
    pub second: SecondPerson,
}

/// A decision about a file.
#[apply(reply!)]
pub struct JudgementView {
    /// True if the ticket is paid.
    pub is_paid: bool,
    /// The stable name of why not.
    pub refused: Option<String>,
    /// The same in words, with its section of the law.
    pub words: Option<Bilingual>,
    /// What was seen.
    pub note: String,
    /// When, in the house's zone.
    pub at_local: String,
    /// Badge of the first person.
    pub by: String,
    /// Badge of the second person.
    pub second: String,
    /// Badge of the third person.
    pub third: Option<String>,
}

/// A file: what its receipt says. Neither a ticket nor an amount is in it.
#[apply(reply!)]
pub struct FileView {
    /// Number of the file.
    pub number: u64,
    /// Its number as a reference; in the reply to its opening, for the receipt, with the secret that
    /// stands for the code of its ticket once it is to be paid.
    pub code: String,
    /// How many digits of the control number are legible.
    pub digits: u8,
    /// What else is legible.
    pub reading: PaperReading,
    /// Who presented it, as told.
    pub presented_by: String,
    /// What was seen of the paper.
    pub note: String,
    /// When, in the house's zone: the moment that counts for the deadline.
    pub opened_at_local: String,
    /// Name of the terminal.
    pub terminal: String,
    /// Badge of the clerk.
    pub badge: String,
    /// From when on it can be judged, in the house's zone.
    pub judged_from_local: String,
    /// True from then on.
    pub is_ready: bool,
    /// The day by which whoever presented it is answered, yyyy-mm-dd.
    pub answer_by: String,
    /// Where to complain.
    pub complaints: Bilingual,
    /// Name of the house.
    pub house_name: String,
    /// The decision, once there is one.
    pub judgement: Option<JudgementView>,
}

/// Reply to a question for the files.
#[apply(reply!)]
pub struct FilesReply {
    /// Those that wait first, the newest first among them; then the last that were judged.
    pub files: Vec<FileView>,
}
