//! The certificate of a draw: what its transcript says, for anybody, on one page.
//!
//! Nothing is computed here. Of real balls there is no transcript, and it says what the public page of
//! the draw says.

use keno_draw::DrawContext;
use keno_draw::transcript::{HostRecord, Transcript};
use keno_log::EventKind;
use keno_log::beacon::{Beacon, Round};
use keno_log::event::DrawScheduled;
use keno_record::fault::Fault;
use keno_record::past_draws::hosts_of;
use keno_record::store::leaves::body_at;
use keno_record::view::DrawInfo;
use keno_schema::Connection;
use keno_service::Stop;
use keno_service::central::Central;
use keno_service::draw::Draw;
use keno_wire::reply::Bilingual;
use keno_words::{page, report};

use super::sheet::{Section, Sheet, Value, columns, rows};
use super::{House, facts};
use crate::pages::{check_commands, draw_number};

/// What is certified of a draw. All of it is public by then.
pub struct Certified {
    draw: DrawInfo,
    /// When its first number was to be shown, where it was held later.
    announced_at_ms: Option<i64>,
    context: DrawContext,
    transcript: Option<Transcript>,
    /// In the order drawn.
    balls: Vec<u8>,
    /// Machine first, then the holders; none where all is within central.
    hosts: Vec<HostRecord>,
    /// Where the public comes, if the house has such an address.
    public_address: Option<String>,
}

impl Certified {
    /// An address of the public pages, as far as the house knows it: whole, or its path alone.
    fn address(&self, path: &str) -> String {
        let draw = self.context.draw;
        let before = self.public_address.as_deref().unwrap_or_default();
        format!("{before}/draws/{draw}{path}")
    }

    /// The address of the public page of the draw; none where the house has no public address.
    pub fn page(&self) -> Option<String> {
        self.public_address.as_ref().map(|_| self.address(""))
    }
}

/// What the record has of a draw whose result is official.
///
/// # Errors
/// A refusal while it is not, or a fault.
pub fn read(central: &Central, now_ms: i64, number: u64) -> Result<Certified, Stop> {
    let (draw, context, transcript) = Draw(number).published(central)?;
    let (balls, hosts) = match &transcript {
        Some(transcript) => (transcript.balls.clone(), transcript.hosts.clone()),
        None => {
            let shown = draw.shown(now_ms, central.schedule.ball_interval_ms);
            let keys = hosts_of(&mut *central.readers.get()?, &draw)?.keys;
            let unsigned = |key| HostRecord {
                key,
                signature: String::new(),
            };
            (shown.to_vec(), keys.into_iter().map(unsigned).collect())
        }
    };
    let tls = central.house.tls.as_ref();
    let announced_at_ms = announced_at_ms(&mut *central.readers.get()?, &draw)?;
    Ok(Certified {
        announced_at_ms: Some(announced_at_ms).filter(|it| *it != draw.draws_at_ms()),
        draw,
        context,
        transcript,
        balls,
        hosts,
        public_address: tls.and_then(|tls| tls.public_address()),
    })
}

/// When its first number was to be shown as the draw was announced: by its leaf, whatever came later.
fn announced_at_ms(connection: &mut Connection, draw: &DrawInfo) -> Result<i64, Fault> {
    let mut leaves = draw.leaves().iter();
    let announced = leaves.find(|(kind, _, _)| *kind == EventKind::DrawScheduled);
    let (_, leaf, _) = announced
        .ok_or_else(|| Fault::Record(format!("draw {} was never announced", draw.number())))?;
    let (body, _) = body_at::<DrawScheduled>(connection, *leaf)?;
    Ok(body.draws_at_ms)
}

/// Words of the public pages.
fn of_page(text: fn(&page::Words) -> &'static str) -> Bilingual {
    Bilingual::new(text(&page::FR), text(&page::EN))
}

/// When the result became official, UTC milliseconds.
fn official_at_ms(draw: &DrawInfo) -> Option<i64> {
    let mut leaves = draw.leaves().iter();
    let certified = leaves.find(|(kind, _, _)| *kind == EventKind::DrawCertified);
    certified.map(|(_, _, at_ms)| *at_ms)
}

fn identity(house: &House, certified: &Certified) -> Section {
    let (draw, context) = (&certified.draw, &certified.context);
    let mut section = Section::new("draw", &report::Draw);
    rows! { section:
        "house" House: Value::Text(format!("{} ({})", house.name, context.house)),
    }
    if let Some(at_ms) = certified.announced_at_ms {
        section.fact("announced_at", &report::AnnouncedFor, Value::Moment(at_ms));
    }
    rows! { section:
        "draws_at" FirstNumberPlanned: Value::Moment(draw.draws_at_ms()),
        "official_at" Official: Value::moment(official_at_ms(draw)),
        "source" SourceOfNumbers: facts::source(certified.transcript.is_none()),
    }
    if let Some(set) = draw.ball_set() {
        section.fact(
            "ball_set",
            &report::BallSetUsed,
            Value::Text(set.to_owned()),
        );
    }
    if let Some(page) = certified.page() {
        section.fact("page", &report::PageOfDraw, Value::Text(page));
    }
    section
}

fn numbers(certified: &Certified) -> Section {
    let pool = report::DrawnOfPool {
        drawn: &certified.context.drawn,
        pool_size: &certified.context.pool_size,
    };
    let mut section = Section::new("numbers", &report::WinningNumbers);
    facts::winning_numbers(&mut section, &certified.balls);
    section.fact("pool", &report::NumbersDrawn, Value::said(&pool));
    section
}

fn seal(certified: &Certified) -> Section {
    let context = &certified.context;
    let mut section = Section::new("seal", &report::Seal);
    rows! { section:
        "size" LeavesUnderSeal: Value::Leaf(context.log_size),
        "root" Root: Value::Hash(context.seal_root),
        "rule_book_hash" RulesInForceHash: Value::Hash(context.rule_book_hash),
    }
    section
}

fn holders(certified: &Certified) -> Section {
    let mut section = Section::new("commitments", &report::CommitmentsOfHolders);
    let (draw, transcript) = (&certified.draw, &certified.transcript);
    for (place, holder) in draw.holders().iter().enumerate() {
        // A secret comes from the transcript alone: what has none keeps its secrets.
        let told = transcript.as_ref().and_then(|all| all.holders.get(place));
        section.total("holder", &report::Holder, Value::Text(holder.name.clone()));
        section.fact(
            "commitment",
            &report::Commitment,
            holder.commitment.map(Value::Hash),
        );
        match told {
            Some(record) => {
                let secret = Value::Hash(record.secret);
                section.fact("secret", &report::SecretPublished, secret);
            }
            None => {
                let kept = of_page(|words| words.draw_secret_kept);
                section.fact("secret", &of_page(|words| words.draw_secret), kept);
            }
        }
    }
    section
}

/// Where the machine and the holders were, and whether those hosts signed.
fn hosts(certified: &Certified) -> Section {
    let mut section = Section::new("hosts", &report::Hosts);
    let holders = certified.draw.holders().iter();
    let holders = holders.map(|holder| Bilingual::of(&report::HolderNamed { name: &holder.name }));
    let mut who: Vec<Bilingual> = holders.collect();
    // Of balls no host drew anything.
    let machine = certified.transcript.is_some();
    who.insert(0, Bilingual::of(&report::MachineThatDrew));
    let rows: Vec<(Bilingual, Option<&HostRecord>)> = who
        .into_iter()
        .enumerate()
        .map(|(place, who)| (who, certified.hosts.get(place)))
        .skip(usize::from(!machine))
        .collect();
    let own = |host: &Option<&HostRecord>| host.is_some_and(|host| !host.key.is_empty());
    section.table(
        &rows,
        columns![
            "who" Who: |(who, _)| Value::Words(who.clone()),
            "host" Host: |(_, host)| match host {
                Some(record) if own(host) => Value::Text(record.key.clone()),
                _ => Value::said(&report::CentralComputer),
            },
            "signed" Signed: |(_, host)| match host {
                Some(record) if own(host) => match Round::parse(&record.signature) {
                    Some(round) => Value::said(&report::RoundNamed { round: &round.number }),
                    None => facts::yes_or_no(!record.signature.is_empty()),
                },
                _ => Value::Absent,
            },
        ],
        &report::None,
    );
    section
}

fn proof(certified: &Certified) -> Section {
    let mut section = Section::new("proof", &report::WhatThisProves);
    match &certified.transcript {
        Some(transcript) => {
            section.note(&of_page(|words| words.draw_proves_body));
            section.note(&facts::assurance(transcript.assurance()));
        }
        None => section.note(&report::WhatBallsProve),
    }
    section
}

fn verify(certified: &Certified) -> Section {
    let mut section = Section::new("verify", &report::HowToVerify);
    let commands = if let Some(transcript) = &certified.transcript {
        section.note(&report::HowToCheckTranscript);
        let address = Value::Text(certified.address("/transcript.json"));
        let words = of_page(|words| words.draw_transcript);
        section.fact("transcript", &words, address);
        let mut commands = vec!["keno-draw-machine check transcript.json".to_owned()];
        if transcript
            .hosts
            .iter()
            .any(|host| Beacon::is_meant(&host.key))
        {
            // Which round is the draw's the log alone says.
            commands.extend(check_commands(certified.context.draw));
        }
        commands
    } else {
        section.note(&of_page(|words| words.draw_verify_balls));
        check_commands(certified.context.draw)
    };
    for command in commands {
        section.fact("command", &report::Command, Value::Text(command));
    }
    section
}

/// What is certified, as a sheet: dated with the moment when the result became official.
pub fn sheet(house: &House, certified: &Certified) -> Sheet {
    let number = draw_number(certified.context.draw);
    Sheet {
        title: Bilingual::of(&report::CertificateOfDraw { number: &number }),
        house: house.name.clone(),
        made_at_ms: official_at_ms(&certified.draw).unwrap_or(certified.draw.draws_at_ms()),
        calendar: house.calendar,
        sections: vec![
            identity(house, certified),
            numbers(certified),
            seal(certified),
            holders(certified),
            hosts(certified),
            proof(certified),
            verify(certified),
        ],
    }
}

#[cfg(test)]
mod tests {
    use keno_draw::{HolderRecord, commitment};
    use keno_game::{DrawSource, DrawState};
    use keno_record::calendar::Calendar;
    use keno_record::state::{Draw, Hands, HolderState};

    use super::*;
    use crate::report::sheet::Block;

    /// A draw of three hosts, of which the last has not signed.
    fn certified(public_address: Option<&str>) -> Certified {
        let context = DrawContext {
            house: "essai".to_owned(),
            draw: 77,
            log_size: 4_096,
            seal_root: [3; 32],
            rule_book_hash: [4; 32],
            pool_size: 80,
            drawn: 20,
        };
        let records =
            [("machine", [1; 32]), ("audit", [2; 32])].map(|(name, secret)| HolderRecord {
                name: name.to_owned(),
                commitment: commitment(&context.house, context.draw, &secret),
                secret,
                beacon: String::new(),
            });
        let holders = records.clone().map(|record| HolderState {
            name: record.name,
            commitment: Some(record.commitment),
            secret: Some(record.secret),
        });
        let draw = DrawInfo::new(Draw {
            number: context.draw,
            state: DrawState::Settled,
            closes_at_ms: 90_000,
            draws_at_ms: 100_000,
            source: DrawSource::Computer.number(),
            pool_size: 80,
            drawn: 20,
            cap_cents: 5_000_000,
            full_below_cents: 100_000,
            holders: holders.to_vec(),
            tickets: 0,
            selections: 0,
            wagered_cents: 0,
            unpaid_after_seal: (0, 0),
            seal: None,
            rule_book_hash: None,
            hands: Hands::default(),
            ball_set: None,
            balls: None,
            certifiers: Vec::new(),
            settlement: None,
            leaves: vec![(EventKind::DrawCertified, 9, 140_000)],
        });
        let mut transcript = Transcript::compute(context.clone(), records.to_vec()).unwrap();
        let host = |name: &str, signature: &str| HostRecord {
            key: format!("{name}+0a0b0c0d+AA{name}"),
            signature: signature.to_owned(),
        };
        transcript.hosts = vec![
            host("salle", "— salle AAAA"),
            host("machines", "— machines AAAA"),
            host("audit", ""),
        ];
        Certified {
            draw,
            announced_at_ms: None,
            context,
            balls: transcript.balls.clone(),
            hosts: transcript.hosts.clone(),
            transcript: Some(transcript),
            public_address: public_address.map(str::to_owned),
        }
    }

    fn made(certified: &Certified) -> Sheet {
        let house = House {
            code: "essai".to_owned(),
            name: "Casino d’essai".to_owned(),
            calendar: Calendar::new("America/Toronto").unwrap(),
            now_ms: 999_000,
        };
        sheet(&house, certified)
    }

    #[test]
    fn it_names_each_host_and_says_whether_it_signed() {
        let sheet = made(&certified(None));
        let blocks = sheet.sections.iter().flat_map(|section| &section.blocks);
        let rows = blocks.filter_map(|block| match block {
            Block::Table { rows, .. } => Some(rows),
            _ => None,
        });
        let text = |value: &Value| value.text(crate::pages::Lang::En, sheet.calendar);
        let rows: Vec<String> = rows
            .flatten()
            .map(|row| row.iter().map(text).collect::<Vec<_>>().join(" | "))
            .collect();
        assert_eq!(
            rows,
            [
                "machine that drew | salle+0a0b0c0d+AAsalle | yes",
                "holder machine | machines+0a0b0c0d+AAmachines | yes",
                "holder audit | audit+0a0b0c0d+AAaudit | no",
            ]
        );
        assert_eq!(sheet.made_at_ms, 140_000, "not when somebody asks");
    }

    #[test]
    fn addresses_are_whole_where_the_house_has_one_and_paths_elsewhere() {
        let of_house = certified(Some("https://keno.example.org"));
        assert_eq!(
            of_house.page().as_deref(),
            Some("https://keno.example.org/draws/77")
        );
        let without = certified(None);
        assert_eq!(without.page(), None);
        assert_eq!(
            without.address("/transcript.json"),
            "/draws/77/transcript.json"
        );
    }
}
