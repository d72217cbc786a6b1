//! Why a door let a request go no further, with a sentence in both languages that says what to do
//! next.

crate::refusals::refusals! {
    /// Why a door let a request go no further: a closed list with stable names.
    DoorRefusal: door {
        /// The request is for a name that central does not have.
        HostUnknown "host_unknown" 421,
        /// A page of another site sent it.
        OriginForeign "origin_foreign" 403,
        /// Address or headers are too long.
        HeadTooLarge "head_too_large" 431,
        /// Its body did not arrive in time.
        RequestLate "request_late" 408,
        /// Too many who are no devices ask at once.
        StrangersBusy "strangers_busy" 503,
        /// Too many who are no devices hear live events.
        StreamsFull "streams_full" 503,
    }
}

impl DoorRefusal {
    /// Whether the same may be sent again later: nothing was done.
    pub const fn may_be_tried_again(self) -> bool {
        matches!(
            self,
            Self::RequestLate | Self::StrangersBusy | Self::StreamsFull
        )
    }
}
