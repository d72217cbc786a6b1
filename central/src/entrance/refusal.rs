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

    /// What happened and what to do, in French.
    pub const fn sentence_fr(self) -> &'static str {
        match self {
            Self::HostUnknown => {
                "Central ne porte pas ce nom. Prenez un des noms de tls.names dans house.toml."
            }
            Self::OriginForeign => {
                "Cette demande vient de la page d’un autre site : elle n’est pas prise."
            }
            Self::HeadTooLarge => "L’adresse ou les en-têtes de la demande sont trop longs.",
            Self::RequestLate => {
                "La demande n’est pas arrivée à temps ; rien n’a été fait. Envoyez-la de nouveau."
            }
            Self::StrangersBusy => {
                "Trop de demandes à la fois ; rien n’a été fait. Réessayez dans un instant."
            }
            Self::StreamsFull => {
                "Trop d’écrans suivent déjà les tirages en direct. Réessayez dans un instant."
            }
        }
    }

    /// What happened and what to do, in English.
    pub const fn sentence_en(self) -> &'static str {
        match self {
            Self::HostUnknown => {
                "Central does not have this name. Use one of tls.names in house.toml."
            }
            Self::OriginForeign => {
                "This request comes from the page of another site: it is not taken."
            }
            Self::HeadTooLarge => "The address or the headers of the request are too long.",
            Self::RequestLate => {
                "The request did not arrive in time; nothing was done. Send it again."
            }
            Self::StrangersBusy => {
                "Too many requests at once; nothing was done. Try again in a moment."
            }
            Self::StreamsFull => {
                "Too many screens follow the draws live already. Try again in a moment."
            }
        }
    }
}
