//! What whoever owns the database changes after the close, before and after it was handed over.

use diesel::connection::SimpleConnection as _;
use keno_house_builder::without_guards;
use keno_log::Event;
use keno_log::EventKind;
use keno_log::leaf::{Leaf, LeafHeader, body_commitment};
use keno_record::publish::read_anchors;
use keno_record::store::log;
use keno_schema::on;
use keno_service::Stop;
use keno_service::authority::identity::Caller;
use keno_service::counter::Sold;
use keno_service::draw::Draw;
use keno_service::maintenance::{Finding, verify};

use super::{
    MINUTE_MS, begun, heard, house_with, owed, pay, pay_order, publish, refused, rules, told,
};
use crate::support::{House, wait, whole_pool};

/// What whoever owns the database does to a ticket after sales have closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    /// Nothing.
    None,
    /// Its body is another, and nothing else.
    Body,
    /// It wagers ten times as much, with leaf and hash that go together.
    Dearer,
    /// It is taken away.
    Removed,
    /// One that nobody sold is put behind it, in the place of its print.
    Added,
}

const CHANGES: [Change; 5] = [
    Change::None,
    Change::Body,
    Change::Dearer,
    Change::Removed,
    Change::Added,
];

impl Change {
    /// The statements, as whoever owns the database would write them.
    fn statements(self, house: &House, ticket: u64) -> Vec<String> {
        let mut connection = house.record().open_reader().unwrap();
        let row = log::entry(&mut connection, ticket).unwrap().unwrap();
        let (entry, _) = log::checked_entry(&row).unwrap();
        let Event::TicketSold(mut sold) = entry.event().unwrap() else {
            panic!("leaf {ticket} is no sale")
        };
        let bytes = |bytes: &[u8]| match house.database {
            Some(_) => format!("'\\x{}'::bytea", hex::encode(bytes)),
            None => format!("x'{}'", hex::encode(bytes)),
        };
        let put = |at: u64, mut header: LeafHeader, body: &[u8]| {
            header.index = at;
            let leaf = Leaf {
                header,
                commitment: body_commitment(&entry.nonce, body),
            };
            format!(
                "UPDATE log_entry SET body = {}, nonce = {}, leaf = {}, leaf_hash = {} \
                 WHERE leaf_index = {at}",
                bytes(body),
                bytes(&entry.nonce),
                bytes(&leaf.to_bytes()),
                bytes(&leaf.hash())
            )
        };
        let header = entry.leaf.header;
        match self {
            Self::None => vec!["SELECT 1".to_owned()],
            Self::Body => vec![format!(
                "UPDATE log_entry SET body = {} WHERE leaf_index = {ticket}",
                bytes(&vec![0; row.body.len()])
            )],
            Self::Dearer => {
                for selection in &mut sold.selections {
                    selection.conditioning[0].wager_cents *= 10;
                }
                vec![put(ticket, header, &Event::from(sold).encode())]
            }
            Self::Removed => vec![format!("DELETE FROM log_entry WHERE leaf_index = {ticket}")],
            Self::Added => vec![put(ticket + 1, header, &row.body)],
        }
    }
}

/// Cases of each change, before and after the entries were handed over; more where somebody asks.
fn cases() -> u64 {
    let asked = std::env::var("BOULIER_CASES").ok();
    asked.and_then(|count| count.parse().ok()).unwrap_or(2)
}

/// A ticket is changed, taken away or added after the close by whoever owns the database: the entry is
/// named, and nobody is paid of it; where nothing was changed nobody is accused.
fn the_owner_changes(database: Option<&str>, change: Change, is_after: bool, case: u64) {
    let (house, _office) = house_with(database, &rules());
    begun(&house);
    let clerk = house.clerk(1, "C1");
    let draw = house.next_draw();
    let tickets = whole_pool(&house, &clerk, 1);
    house.until_closed(draw);
    publish(&house);
    if is_after {
        heard(&house);
    }
    let ticket = &tickets[usize::try_from(case * 7 % 20).unwrap()];
    let statements = change.statements(&house, ticket.ticket);
    let mut connection = house.record().open_writer().unwrap();
    without_guards(&mut connection, |connection| {
        let all = statements.join("; ");
        on!(connection, c => c.batch_execute(&all))
    })
    .unwrap();
    house.until_settled(draw);
    let heard = heard(&house);
    let what = format!("{change:?}, after: {is_after}, case {case}");
    let entry = ticket.ticket + u64::from(change == Change::Added);
    let anchors = [house.path().join("anchors.log")];
    let found = verify(&mut connection, &anchors, &house.path())
        .unwrap()
        .findings;
    let shown = format!("{found:?}");
    // Large and small alike, with a second person.
    let outcomes = tickets.iter().map(|sold| match change {
        Change::None => pay_if_owed(&house, &clerk, sold),
        _ => wait(pay_order(&house, &clerk, sold, vec![(draw, 300)]).pay(&house.central, &clerk))
            .map(drop),
    });
    let outcomes: Vec<Result<(), Stop>> = outcomes.collect();
    if change == Change::None {
        assert_eq!(heard.refuses, None, "{what}");
        assert_eq!(told(&house, EventKind::DrawFollowed), [draw], "{what}");
        assert!(found.is_empty(), "{what}: {shown}");
        assert!(outcomes.iter().all(Result::is_ok), "{what}: {outcomes:?}");
        return;
    }
    // By its leaf; where its hashes go together, by the first anchor after it.
    let published = read_anchors(&anchors[0]).unwrap();
    let mut sizes = published.iter().map(|anchor| anchor.size);
    let first_after = sizes.find(|size| *size > entry);
    let names = |finding: &Finding| match finding {
        Finding::Leaf { index, .. } => *index == entry,
        Finding::Anchor { size, .. } => Some(*size) == first_after,
        _ => false,
    };
    assert!(found.iter().any(names), "{what}: {shown}");
    let view = house.central.view.get();
    assert_eq!(
        view.following.waiting.contains_key(&draw),
        !is_after,
        "{what}: {heard:?}"
    );
    if !is_after {
        assert!(heard.refuses.is_some(), "{what}");
        // It is there and refuses: no time opens it.
        house.clock.advance(120 * MINUTE_MS);
        let line = house.central.follower.as_ref().unwrap();
        line.turn(&house.central);
        let supervisor = house.clerk(2, "S1");
        let second = house.person("X1");
        let opened = Draw(draw).open_payouts(&house.central, &supervisor, &second, "vu");
        assert_eq!(refused(opened), "record_refused", "{what}");
    }
    // Nobody is paid of what was changed.
    let at = tickets
        .iter()
        .position(|one| one.ticket == ticket.ticket)
        .unwrap();
    if change != Change::Added {
        assert!(outcomes[at].is_err(), "{what}: {outcomes:?}");
    }
}

/// Pays what is owed, if anything is.
fn pay_if_owed(house: &House, by: &Caller, sold: &Sold) -> Result<(), Stop> {
    match owed(house, sold).is_empty() {
        true => Ok(()),
        false => pay(house, by, sold).map(drop),
    }
}

#[test]
fn what_the_owner_of_the_database_changes_is_named_and_not_paid() {
    for case in 0..cases() {
        for change in CHANGES {
            for is_after in [false, true] {
                the_owner_changes(None, change, is_after, case);
            }
        }
    }
    for change in CHANGES {
        let database = keno_testing::empty_postgres_database().unwrap();
        the_owner_changes(Some(database.address()), change, false, 1);
    }
}
