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

    /// Stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::HostUnknown => "host_unknown",
            Self::OriginForeign => "origin_foreign",
            Self::HeadTooLarge => "head_too_large",
            Self::RequestLate => "request_late",
            Self::StrangersBusy => "strangers_busy",
            Self::StreamsFull => "streams_full",
        }
    }

    /// HTTP status.
    pub const fn status(self) -> u16 {
        match self {
            Self::HostUnknown => 421,
            Self::OriginForeign => 403,
            Self::HeadTooLarge => 431,
            Self::RequestLate => 408,
            Self::StrangersBusy | Self::StreamsFull => 503,
        }
    }

    /// Whether the same may be sent again later: nothing was done.
    pub const fn may_be_tried_again(self) -> bool {
        matches!(
            self,
            Self::RequestLate | Self::StrangersBusy | Self::StreamsFull
        )
    }
}

// What happened and what to do.
keno_words::says! { DoorRefusal: door { HostUnknown, OriginForeign, HeadTooLarge, RequestLate, StrangersBusy, StreamsFull } }
