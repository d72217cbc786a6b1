//! What can be wrong with a house file, by name.

use keno_book::toml_faults::FormFault;

/// What is wrong with a house file. Closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HouseFaultKind {
    /// The form of the file.
    Form(FormFault),
    /// A code or a holder's name that is not 1 to 16 of `a-z`, `0-9` and the hyphen.
    CodeMalformed,
    /// A text that is empty or holds control characters.
    TextMalformed,
    /// Not an IANA time zone.
    ZoneUnknown,
    /// A local time that is not `HH:MM`.
    TimeMalformed,
    /// The last draw of the day is before the first.
    ScheduleReversed,
    /// A draw would not have shown its last number when the next one starts.
    DrawsOverlap,
    /// The numbers would be computed before sales close.
    LeadBeyondClose,
    /// Fewer draws are open for sale than one ticket may carry.
    SaleableBelowTicket,
    /// No holder, or more than four.
    HoldersOutOfRange,
    /// Two holders of one name.
    HolderRepeated,
    /// Two holders in one folder or on one host: one theft takes both secrets.
    FolderRepeated,
    /// A host without a usable address or key, or with a folder beside them.
    HostMalformed,
    /// The machine is on a host of its own, and a holder is not.
    HolderWithin,
    /// Every holder is a public beacon: once its round is out, anybody could compute the numbers.
    BeaconAlone,
    /// Not an address and a port.
    AddressMalformed,
    /// Reachable from other machines, in clear.
    AddressNotLoopback,
    /// A listener with TLS that has no name, or a name that is neither of DNS nor an IP address.
    TlsNameMalformed,
    /// Neither a file nor the address of a PostgreSQL server of this machine.
    DatabaseUnknown,
    /// The same anchor file twice.
    AnchorRepeated,
    /// Not a version of three numbers.
    VersionMalformed,
    /// The low threshold of cash is not under the high one.
    CashBandsReversed,
    /// The least that a ball may have is above the most.
    MassesReversed,
}

impl HouseFaultKind {
    /// Stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Form(form) => form.name(),
            Self::CodeMalformed => "code_malformed",
            Self::TextMalformed => "text_malformed",
            Self::ZoneUnknown => "zone_unknown",
            Self::TimeMalformed => "time_malformed",
            Self::ScheduleReversed => "schedule_reversed",
            Self::DrawsOverlap => "draws_overlap",
            Self::LeadBeyondClose => "lead_beyond_close",
            Self::SaleableBelowTicket => "saleable_below_ticket",
            Self::HoldersOutOfRange => "holders_out_of_range",
            Self::HolderRepeated => "holder_repeated",
            Self::FolderRepeated => "folder_repeated",
            Self::HostMalformed => "host_malformed",
            Self::HolderWithin => "holder_within",
            Self::BeaconAlone => "beacon_alone",
            Self::AddressMalformed => "address_malformed",
            Self::AddressNotLoopback => "address_not_loopback",
            Self::TlsNameMalformed => "tls_name_malformed",
            Self::DatabaseUnknown => "database_unknown",
            Self::VersionMalformed => "version_malformed",
            Self::AnchorRepeated => "anchor_repeated",
            Self::CashBandsReversed => "cash_bands_reversed",
            Self::MassesReversed => "masses_reversed",
        }
    }
}

impl From<FormFault> for HouseFaultKind {
    fn from(form: FormFault) -> Self {
        Self::Form(form)
    }
}
