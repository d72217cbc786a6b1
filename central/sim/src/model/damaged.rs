//! Papers without a code, as the record tells of them.

use keno_log::event::{DamagedReading, DamagedTicketRead, FileJudged, FileOpened, PrizePaid};

use super::{Model, Standing, Ticket, Wrong, local_day, must};

const HOUR_MS: i64 = 3_600_000;

/// A file.
#[derive(Debug, Clone)]
pub struct File {
    /// As opened.
    pub opened: FileOpened,
    /// When.
    pub opened_at_ms: i64,
    /// Whether it is paid, and by three; not, while nobody has judged it.
    pub judged: Option<(bool, bool)>,
}

fn agrees(reading: &DamagedReading, ticket: &Ticket) -> bool {
    let sold = &ticket.sold;
    let is_played = sold.selections.iter().any(|selection| {
        let mut numbers: Vec<u8> = selection.groups.concat();
        numbers.extend(&selection.kings);
        numbers.sort_unstable();
        numbers == reading.numbers
    });
    reading.first_draw.is_none_or(|it| it == sold.first_draw)
        && reading.last_draw.is_none_or(|it| it == sold.last_draw)
        && reading.total_cents.is_none_or(|it| it == sold.total_cents)
        && reading.sold_at.is_none_or(|it| it == sold.key.device)
        && (reading.numbers.is_empty() || is_played)
}

impl Model {
    pub(super) fn read(&mut self, leaf: u64, body: &DamagedTicketRead) -> Result<(), Wrong> {
        let ticket = self.ticket(body.ticket)?;
        let reading = &body.reading;
        let is_whole = reading.first_draw.is_some()
            && reading.last_draw.is_some()
            && reading.total_cents.is_some()
            && reading.sold_at.is_some()
            && !reading.numbers.is_empty();
        must(
            is_whole && agrees(reading, ticket) && ticket.standing == Standing::Sold,
            || format!("ticket {} was not read: {body:?}", body.ticket),
        )?;
        must(body.badge != body.second, || "one person reads".to_owned())?;
        self.readings
            .insert((body.ticket, body.badge.clone()), leaf);
        Ok(())
    }

    pub(super) fn open_file(
        &mut self,
        leaf: u64,
        at_ms: i64,
        body: &FileOpened,
    ) -> Result<(), Wrong> {
        if let Some(ticket) = body.ticket {
            let ticket = self.ticket(ticket)?;
            must(agrees(&body.reading, ticket) && body.fits == 1, || {
                format!("a file of another ticket: {body:?}")
            })?;
        }
        let file = File {
            opened: body.clone(),
            opened_at_ms: at_ms,
            judged: None,
        };
        self.files.insert(leaf, file);
        Ok(())
    }

    pub(super) fn judge_file(&mut self, at_ms: i64, body: &FileJudged) -> Result<(), Wrong> {
        let file = self.files.get(&body.file).ok_or("no such file")?.clone();
        let people = [&file.opened.badge, &body.by, &body.second];
        let are_others = people[0] != people[1] && people[0] != people[2] && people[1] != people[2];
        let third = body.third.as_ref();
        must(
            are_others && third.is_none_or(|third| !people.contains(&third)),
            || format!("judged by whom: {body:?}"),
        )?;
        let is_again = file.judged == Some((true, false)) && body.is_paid && third.is_some();
        must(file.judged.is_none() || is_again, || {
            format!("file {} is judged again", body.file)
        })?;
        let book = match file.opened.ticket {
            Some(ticket) => self.book_of(self.ticket(ticket)?)?,
            None => &self.books.last_key_value().ok_or("no rules")?.1.1,
        };
        // Where no ticket is named, rules that came since may say another wait.
        let waits = file.opened.ticket.map_or(0, |_| book.wait_hours * HOUR_MS);
        must(at_ms - file.opened_at_ms >= waits, || {
            format!("file {} has not waited", body.file)
        })?;
        if body.is_paid {
            let ticket = file
                .opened
                .ticket
                .ok_or("a file without a ticket is paid")?;
            let tier = self.tier(ticket, self.ticket(ticket)?);
            must(third.is_some() || tier < book.third_person_cents, || {
                format!("{tier} is judged by two")
            })?;
        }
        if let Some(file) = self.files.get_mut(&body.file) {
            file.judged = Some((body.is_paid, third.is_some()));
        }
        Ok(())
    }

    /// On what a payment is made.
    pub(super) fn on_what(&mut self, at_ms: i64, body: &PrizePaid) -> Result<(), Wrong> {
        let ticket = self.ticket(body.ticket)?;
        let (tier, book) = (self.tier(body.ticket, ticket), self.book_of(ticket)?);
        match body.path {
            1 => Ok(()),
            2 => {
                let by = (body.ticket, body.badge.clone());
                let opened = self.till_leaves.get(&body.shift).copied();
                let is_read = self.readings.get(&by).copied() > opened && opened.is_some();
                let (limit, most) = (book.at_once_cents, book.per_day);
                must(is_read && tier <= limit, || {
                    format!("{tier} is paid at once, read: {is_read}")
                })?;
                let day = (body.badge.clone(), local_day(at_ms, 0));
                let count = self.at_once.entry(day).or_default();
                *count += 1;
                let count = *count;
                must(count <= most, || format!("{count} are paid at once"))
            }
            3 => {
                let limit = book.third_person_cents;
                let grants = |file: &File| {
                    file.opened.ticket == Some(body.ticket)
                        && file.judged.is_some_and(|(is_paid, by_three)| {
                            is_paid && (by_three || tier < limit)
                        })
                };
                must(self.files.values().any(grants), || {
                    "no file is paid".to_owned()
                })
            }
            5 if body.second.is_some() => Ok(()),
            5 => {
                let (limit, most) = (book.typed_alone_cents, book.typed_per_day);
                must(tier <= limit, || format!("{tier} is typed and paid alone"))?;
                let day = (body.badge.clone(), local_day(at_ms, 0));
                let count = self.typed_alone.entry(day).or_default();
                *count += 1;
                let count = *count;
                must(count <= most, || {
                    format!("{count} are typed and paid alone")
                })
            }
            path => Err(format!("path {path}")),
        }
    }
}
