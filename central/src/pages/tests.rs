//! What holds for every page in every state.

use keno_log::beacon::QUICKNET;

use super::view::*;
use super::*;

type Pages = Vec<(String, Lang, String)>;

fn every_page() -> Result<Pages, PageFault> {
    let mut out = Vec::new();
    for lang in Lang::ALL {
        let mut put = |name: &str, html: Result<String, PageFault>| -> Result<(), PageFault> {
            out.push((name.to_owned(), lang, html?));
            Ok(())
        };
        put("board", render_board(&samples::board(), lang))?;
        put("check", render_check(&samples::check(None), lang))?;
        put(
            "check answered",
            render_check(&samples::check(Some(samples::winner())), lang),
        )?;
        put("draws", render_draws(&samples::draws(), lang))?;
        put("draw", render_draw(&samples::draw_page(), lang))?;
        put("home", render_home(&samples::home(), lang))?;
        let prizes = PrizesView {
            frame: samples::frame("/prizes"),
            prizes: Some(samples::prizes()),
        };
        put("prizes", render_prizes(&prizes, lang))?;
        put("sign in", render_sign_in(&samples::sign_in(), lang))?;
        put("audit", render_audit(&samples::audit(), lang))?;
        for message in [
            Message::Starting,
            Message::NotFound,
            Message::NoSuchDraw,
            Message::TooMany,
            Message::Down,
            Message::Forbidden,
            Message::FormExpired,
            Message::WrongName,
            Message::TooLong,
        ] {
            let view = MessageView {
                frame: samples::frame("/nothing"),
                message,
            };
            put("message", render_message(&view, lang))?;
        }
    }
    Ok(out)
}

/// What the policy would block, or what would leave the host.
fn breaches(html: &str) -> Vec<String> {
    let mut out = Vec::new();
    for tag in html
        .split('<')
        .skip(1)
        .filter_map(|part| part.split('>').next())
    {
        let lower = tag.to_lowercase();
        let words: Vec<_> = lower.split_whitespace().collect();
        for word in words.iter().skip(1) {
            let name = word.split('=').next().unwrap_or_default();
            if name == "style" || (name.starts_with("on") && word.contains('=')) {
                out.push(format!("inline {name}: <{tag}>"));
            }
            for link in ["src=\"", "href=\"", "action=\""] {
                if let Some(target) = word.strip_prefix(link) {
                    let local = target.starts_with('#')
                        || target.starts_with('/') && !target.starts_with("//");
                    if !local || target.starts_with("/assets/missing") {
                        out.push(format!("link {target}"));
                    }
                }
            }
        }
        if words.first() == Some(&"style")
            || (words.first() == Some(&"script") && !lower.contains("src="))
        {
            out.push(format!("inline element: <{tag}>"));
        }
    }
    out
}

#[test]
fn no_page_breaks_the_policy() -> Result<(), PageFault> {
    for (name, lang, html) in every_page()? {
        assert_eq!(breaches(&html), Vec::<String>::new(), "{name} {lang:?}");
        for part in html.split("\"/assets/").skip(1) {
            let target = part.split('"').next().unwrap_or_default();
            assert!(asset(target).is_some(), "{name}: {target}");
        }
    }
    Ok(())
}

#[test]
fn planted_breaches_are_found() {
    for planted in [
        "<p style=\"color:red\">",
        "<button onclick=\"go()\">",
        "<script>go()</script>",
        "<style>p{}</style>",
        "<a href=\"javascript:go()\">",
        "<img src=\"//elsewhere/x.png\">",
        "<script src=\"https://elsewhere/x.js\"></script>",
        "<link href=\"/assets/missing\">",
    ] {
        assert_eq!(breaches(planted).len(), 1, "{planted}");
    }
}

const HOSTILE: &str = "<script>alert('x')</script>\"&";

#[test]
fn text_from_elsewhere_is_escaped() -> Result<(), PageFault> {
    let mut pages = Vec::new();
    let mut home = samples::home();
    home.frame.house_name = HOSTILE.to_owned();
    pages.push(render_home(&home, Lang::Fr)?);

    let mut board = samples::board();
    board.frame.house_name = HOSTILE.to_owned();
    board.live_path = HOSTILE.to_owned();
    if let Some(prizes) = &mut board.prizes {
        prizes.rules_place.fr = HOSTILE.to_owned();
        prizes.games[0].name.fr = HOSTILE.to_owned();
    }
    pages.push(render_board(&board, Lang::Fr)?);

    let mut reply = samples::winner();
    reply.verdict.sentence = samples::both(HOSTILE, HOSTILE);
    if let Some(ticket) = &mut reply.ticket {
        ticket.claim_by = HOSTILE.to_owned();
        ticket.claim_place = samples::both(HOSTILE, HOSTILE);
        ticket.control_number = HOSTILE.to_owned();
    }
    pages.push(render_check(&samples::check(Some(reply)), Lang::En)?);

    let mut draw = samples::draw_page();
    draw.draw.commitments[0].holder = HOSTILE.to_owned();
    draw.draw.source = HOSTILE.into();
    draw.draw.leaves[0].kind = HOSTILE.to_owned();
    draw.commands = vec![HOSTILE.to_owned()];
    pages.push(render_draw(&draw, Lang::En)?);

    let mut audit = samples::audit();
    audit.searched = HOSTILE.to_owned();
    if let AuditFinding::Ticket(ticket) = &mut audit.found {
        ticket.life[0].detail = samples::both(HOSTILE, HOSTILE);
        ticket.money[0].terminal = HOSTILE.to_owned();
        ticket.incidents = vec![samples::both(HOSTILE, HOSTILE)];
    }
    pages.push(render_audit(&audit, Lang::Fr)?);

    let mut sign_in = samples::sign_in();
    sign_in.badge = HOSTILE.to_owned();
    pages.push(render_sign_in(&sign_in, Lang::Fr)?);

    for html in pages {
        assert!(!html.contains("<script>alert"), "not escaped");
        assert!(html.contains("&#60;script&#62;alert") || html.contains("&lt;script&gt;alert"));
        assert_eq!(breaches(&html), Vec::<String>::new());
    }
    Ok(())
}

/// The text that a reader of a page meets: no tags, no parts marked as another language.
fn text_in(html: &str, foreign: &str) -> String {
    let mut out = String::new();
    let mut skip: Vec<String> = Vec::new();
    for part in html.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap_or((part, ""));
        let name = tag.split_whitespace().next().unwrap_or_default();
        if let Some(closed) = name.strip_prefix('/') {
            if skip.last().is_some_and(|open| open == closed) {
                skip.pop();
            }
        } else if name != "html"
            && (tag.contains(&format!("lang=\"{foreign}\"")) || !skip.is_empty())
        {
            let void = ["br", "meta", "link", "input", "use", "path"].contains(&name);
            if !void && !tag.ends_with('/') {
                skip.push(name.to_owned());
            }
        }
        if skip.is_empty() {
            out.push(' ');
            out.push_str(text);
        }
    }
    out
}

#[test]
fn a_page_speaks_its_own_language() -> Result<(), PageFault> {
    let english = [
        " the ", " Draws", "Prize", "Sales", "Ticket", "Check", " and ", "numbers", "record",
    ];
    let french = [
        " le ", " la ", "Tirages", "Lots", "Ventes", "Billet", " et ", "numéros", "registre",
    ];
    for (name, lang, html) in every_page()? {
        // The board is bilingual by design: its page is French with marked English.
        let (lang, html) = if name == "board" {
            (Lang::Fr, render_board(&samples::board(), lang)?)
        } else {
            (lang, html)
        };
        let text = text_in(&html, lang.other().code());
        assert!(text.len() > 100, "{name}: {text}");
        let foreign = if lang == Lang::Fr { english } else { french };
        for word in foreign {
            // Names given by a house are data and stay as they are.
            let text = text
                .replace("Bureau de la vérification", "")
                .replace("Casino de démonstration", "");
            assert!(!text.contains(word), "{name} in {lang:?} says {word:?}");
        }
    }
    Ok(())
}

#[test]
fn pages_are_whole_documents_with_one_heading_and_labels() -> Result<(), PageFault> {
    for (name, _, html) in every_page()? {
        assert!(html.trim_start().starts_with("<!doctype html>"), "{name}");
        assert_eq!(html.matches("<main").count(), 1, "{name}");
        assert!(html.contains("<h1"), "{name}");
        for field in html
            .split("<input ")
            .skip(1)
            .chain(html.split("<select ").skip(1))
        {
            let tag = field.split('>').next().unwrap_or_default();
            if tag.contains("type=\"hidden\"") {
                continue;
            }
            let id = tag
                .split("id=\"")
                .nth(1)
                .and_then(|rest| rest.split('"').next())
                .unwrap_or_default();
            assert!(
                html.contains(&format!("for=\"{id}\"")),
                "{name}: {tag} has no label"
            );
        }
    }
    Ok(())
}

#[test]
fn links_keep_the_language() -> Result<(), PageFault> {
    let html = render_home(&samples::home(), Lang::En)?;
    assert!(html.contains("href=\"/draws?lang=en\"") && html.contains("href=\"/\" lang=\"fr\""));
    let html = render_draws(&samples::draws(), Lang::En)?;
    assert!(html.contains("from=48203&#38;lang=en") || html.contains("from=48203&amp;lang=en"));
    Ok(())
}

/// The texts between `before` and `after` in `source`.
fn between<'a>(source: &'a str, before: &str, after: char) -> Vec<&'a str> {
    source
        .split(before)
        .skip(1)
        .filter_map(|part| part.split(after).next())
        .collect()
}

/// Names of elements and sentences that a script asks for and a page does not have.
fn missing(script: &str, html: &str) -> Vec<String> {
    let ids = between(script, "$(\"", '"')
        .into_iter()
        .map(|id| format!("id=\"{id}\""));
    let keys = ["said(\"", "say(\"", "own(\"", "sentences.get(\""]
        .into_iter()
        .flat_map(|call| between(script, call, '"'))
        .map(|key| format!("data-key=\"{key}\""));
    ids.chain(keys)
        .filter(|wanted| !html.contains(wanted))
        .collect()
}

#[test]
fn scripts_find_what_they_ask_the_page_for() -> Result<(), PageFault> {
    let board = render_board(&samples::board(), Lang::Fr)?;
    let check = render_check(&samples::check(None), Lang::Fr)?;
    let board_script = include_str!("../../assets/board.js");
    let check_script = include_str!("../../assets/check.js");
    assert!(between(board_script, "$(\"", '"').len() > 20);
    assert_eq!(missing(board_script, &board), Vec::<String>::new());
    assert_eq!(missing(check_script, &check), Vec::<String>::new());
    assert_eq!(
        missing("$(\"nowhere\"); said(\"nothing\")", &board).len(),
        2,
        "a planted fault"
    );
    Ok(())
}

#[test]
fn the_script_speaks_of_the_same_states() {
    let script = include_str!("../../assets/board-state.js");
    for state in BoardState::ALL {
        let quoted = format!("\"{}\"", state.name());
        assert!(
            script.contains(&quoted),
            "board-state.js never says {quoted}"
        );
    }
}

#[test]
fn a_page_says_which_refusals_and_states_it_can_meet() -> Result<(), PageFault> {
    for state in [
        "scheduled",
        "open",
        "closed",
        "drawing",
        "drawn",
        "official",
        "settled",
        "suspended",
        "void",
        "a new one",
    ] {
        let mut view = samples::draw_page();
        view.draw = samples::draw(48_213, state, 0);
        let html = render_draw(&view, Lang::Fr)?;
        assert_eq!(
            html.contains("État inconnu"),
            state == "a new one",
            "{state}"
        );
        assert!(
            !html.contains("Officiel") || matches!(state, "official" | "settled"),
            "{state}"
        );
    }
    Ok(())
}

#[test]
fn a_page_says_who_has_to_be_trusted_by_the_keys_of_its_hosts() -> Result<(), PageFault> {
    let own = "bls-unchained-g1-rfc9380 maison 1692803367 3 83cf";
    let hosts = ["salle+0a+AA", "machines+0b+AB", "audit+0c+AC"];
    let within = ["", "", ""];
    let with_beacon = ["", "", QUICKNET];
    let with_own = ["", "", own];
    for (keys, says) in [
        (within, "tous sur la machine de l’ordinateur central"),
        (hosts, "(machines, audit)"),
        (with_beacon, "drand quicknet, une source publique d’aléa"),
        (with_own, "(maison) que ce programme ne connaît pas"),
    ] {
        let mut view = samples::draw_page();
        assert_eq!(view.draw.commitments.len(), 2);
        view.hosts = keys.map(str::to_owned).to_vec();
        let html = render_draw(&view, Lang::Fr)?;
        assert!(html.contains(says), "{keys:?}");
        // The name of what holds it stands beside each commitment.
        let name = format!("<b>{}</b> · quicknet", view.draw.commitments[1].holder);
        assert_eq!(html.contains(&name), keys == with_beacon);
        assert_eq!(
            html.contains("personne, pas même la maison"),
            keys == with_beacon
        );
    }
    Ok(())
}
