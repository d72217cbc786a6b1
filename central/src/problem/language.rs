//! The language in which a problem is told: the one that `Accept-Language` asks for, French first.

use actix_web::HttpRequest;
use actix_web::http::header::{AcceptLanguage, Header, HeaderValue, Quality};
use keno_words::Language;

tokio::task_local! {
    static ASKED: Language;
}

/// The language that a request asks for (RFC 9110, s. 12.5.4): a language by its name, in whatever
/// country, or by `*` where it is not named.
pub(crate) fn of(request: &HttpRequest) -> Language {
    let wanted = AcceptLanguage::parse(request).map(|header| header.0);
    let wanted = wanted.unwrap_or_default();
    let quality = |language: &str| {
        let by = |name: &str| {
            let all = wanted.iter().filter(|one| {
                let tag = one.item.to_string().to_ascii_lowercase();
                tag.split('-').next() == Some(name)
            });
            all.map(|one| one.quality).max()
        };
        by(language).or_else(|| by("*")).unwrap_or(Quality::ZERO)
    };
    if quality("en") > quality("fr") {
        Language::English
    } else {
        Language::French
    }
}

/// The language of the request that is being answered.
pub(crate) fn asked() -> Language {
    ASKED
        .try_with(|language| *language)
        .unwrap_or(Language::French)
}

/// Answers a request in its language.
pub(crate) async fn answering<T>(language: Language, answer: impl Future<Output = T>) -> T {
    ASKED.scope(language, answer).await
}

/// As `Content-Language` says it.
pub(crate) fn tag(language: Language) -> HeaderValue {
    HeaderValue::from_static(match language {
        Language::French => "fr",
        Language::English => "en",
    })
}
