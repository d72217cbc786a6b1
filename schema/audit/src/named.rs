//! Enumerations whose members have a stable name for programs, and for people a text under that
//! name in an area of the catalogue.

/// Such an enumeration: each member, and its stable name.
macro_rules! named {
    ($(#[$about:meta])* $kind:ident: $area:ident {
        $($(#[$what:meta])* $member:ident $name:literal,)*
    }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $kind {
            $(#[doc = concat!("`", $name, "`; the catalogue says it.")] $(#[$what])* $member),*
        }

        impl $kind {
            /// Every member, in order.
            pub const ALL: &'static [Self] = &[$(Self::$member),*];

            /// The stable name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$member => $name),* }
            }
        }

        keno_words::says! { $kind: $area { $($member),* } }
    };
}
