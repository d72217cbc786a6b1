//! `/`, and the pages that say why there is no other.

use askama::Template;

use super::PageFault;
use super::lang::Lang;
use super::page::{Page, fill};
use super::view::{HomeView, Message, MessageView};
use super::words::Words;

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage<'a> {
    page: Page<'a>,
    view: &'a HomeView,
}

impl HomePage<'_> {
    fn up_to(&self, size: &u64) -> String {
        let size = self.page.count(size);
        fill(self.page.w.home_cosigned_up_to, &[("size", &size)])
    }
}

/// Renders the index.
///
/// # Errors
/// A [`PageFault`] when the template fails.
pub fn render_home(view: &HomeView, lang: Lang) -> Result<String, PageFault> {
    let page = HomePage {
        page: Page::new(&view.frame, lang, "home"),
        view,
    };
    Ok(page.render()?)
}

#[derive(Template)]
#[template(path = "message.html")]
struct MessagePage<'a> {
    page: Page<'a>,
    title: &'static str,
    body: &'static str,
    other_title: &'static str,
    other_body: &'static str,
    shape: &'static str,
}

fn sentences(message: Message, w: &Words) -> (&'static str, &'static str) {
    match message {
        Message::Starting => (w.message_starting, w.message_starting_body),
        Message::NotFound => (w.message_not_found, w.message_not_found_body),
        Message::NoSuchDraw => (w.message_no_such_draw, w.message_no_such_draw_body),
        Message::TooMany => (w.message_too_many, w.message_too_many_body),
        Message::Down => (w.message_down, w.message_down_body),
        Message::Forbidden => (w.message_forbidden, w.message_forbidden_body),
        Message::FormExpired => (w.message_form_expired, w.message_form_expired_body),
        Message::WrongName => (w.message_wrong_name, w.message_wrong_name_body),
        Message::TooLong => (w.message_too_long, w.message_too_long_body),
    }
}

/// Renders a page that says why there is no other, in both languages.
///
/// # Errors
/// A [`PageFault`] when the template fails.
pub fn render_message(view: &MessageView, lang: Lang) -> Result<String, PageFault> {
    let (title, body) = sentences(view.message, lang.words());
    let (other_title, other_body) = sentences(view.message, lang.other().words());
    let page = MessagePage {
        page: Page::new(&view.frame, lang, "message"),
        title,
        body,
        other_title,
        other_body,
        shape: match view.message {
            Message::Starting => "clock",
            Message::NotFound | Message::NoSuchDraw | Message::WrongName => "question",
            Message::TooMany => "hourglass",
            Message::Down => "plug",
            Message::Forbidden | Message::FormExpired | Message::TooLong => "cross",
        },
    };
    Ok(page.render()?)
}
