//! Why a door let a request go no further, with a sentence in both languages that says what to do
//! next.

/// Why a door let a request go no further: a closed list with stable names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DoorRefusal {
    /// The request is for a name that central does not have.
    HostUnknown,
    /// A page of another site sent it.
    OriginForeign,
    /// Address or headers are too long.
    HeadTooLarge,
    /// Its body did not arrive in time.
    RequestLate,
    /// Too many who are no devices ask at once.
    StrangersBusy,
    /// Too many who are no devices hear live events.
    StreamsFull,
}

impl DoorRefusal {
    /// Every refusal, in order.
    pub const ALL: [Self; 6] = [
        Self::HostUnknown,
        Self::OriginForeign,
        Self::HeadTooLarge,
        Self::RequestLate,
        Self::StrangersBusy,
        Self::StreamsFull,
    ];

    /// Stable name, HTTP status, and whether the same may be sent again later: nothing was done.
    const fn row(self) -> (&'static str, u16, bool) {
        match self {
            Self::HostUnknown => ("host_unknown", 421, false),
            Self::OriginForeign => ("origin_foreign", 403, false),
            Self::HeadTooLarge => ("head_too_large", 431, false),
            Self::RequestLate => ("request_late", 408, true),
            Self::StrangersBusy => ("strangers_busy", 503, true),
            Self::StreamsFull => ("streams_full", 503, true),
        }
    }

    /// Stable name.
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// HTTP status.
    pub const fn status(self) -> u16 {
        self.row().1
    }

    /// Whether the same may be sent again later: nothing was done.
    pub const fn may_be_tried_again(self) -> bool {
        self.row().2
    }
}

// What happened and what to do.
keno_words::says! { DoorRefusal: door { HostUnknown, OriginForeign, HeadTooLarge, RequestLate, StrangersBusy, StreamsFull } }
