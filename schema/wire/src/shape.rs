//! What every request and every reply has in common, each as an attribute: `#[apply(request!)]`,
//! `#[apply(reply!)]`. What is not there is left out of the JSON.

/// What is told. A field that this program does not know is passed over: a newer program may tell
/// more.
macro_rules! reply {
    ($($declared:tt)*) => {
        #[serde_with::skip_serializing_none]
        #[derive(Debug, Clone, PartialEq, Eq)]
        #[derive(serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
        $($declared)*
    };
}

/// What is asked: refused whole when it has a field that is not listed.
macro_rules! request {
    ($($declared:tt)*) => {
        reply! { #[serde(deny_unknown_fields)] $($declared)* }
    };
}
