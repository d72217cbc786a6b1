//! What is never printed, whoever asks: PINs, codes, the secrets of cards.

/// `Debug` of a type that carries a secret: the fields that are named here, and no other.
macro_rules! discreet {
    ($name:ident { $($field:ident),* }) => {
        impl std::fmt::Debug for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let mut shown = formatter.debug_struct(stringify!($name));
                $(shown.field(stringify!($field), &self.$field);)*
                shown.finish_non_exhaustive()
            }
        }
    };
}
pub(crate) use discreet;
