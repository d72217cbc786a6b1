//! Refusals of the edge: closed lists with stable names, each with its status and its sentence.

/// A list of refusals, a row each: what it means, its stable name and its HTTP status. The sentence
/// of each stands in an area of the catalogue under its name.
macro_rules! refusals {
    (
        $(#[$about:meta])*
        $name:ident: $area:ident {
            $($(#[$what:meta])+ $case:ident $text:literal $status:literal,)*
        }
    ) => {
        keno_game::named! {
            $(#[$about])*
            $name { $($(#[$what])+ $case $text,)* }
        }

        impl $name {
            /// HTTP status.
            pub const fn status(self) -> u16 {
                match self {
                    $(Self::$case => $status,)*
                }
            }
        }

        // What happened and what to do.
        keno_words::says! { $name: $area { $($case),* } }
    };
}

pub(crate) use refusals;
