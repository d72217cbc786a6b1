//! `live`: how soon the last of thousands of boards hears an event, by a loop that does nothing but
//! write it to each of as many; and how soon all of them are back once central was killed.
//!
//! The event is the heartbeat: it goes the way of a ball, is as long, and says when it was made.

use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;

use anyhow::{Context, anyhow};

use crate::clock::{ms, now, wall};
use crate::cpu::Watch;
use crate::figure::{Figure, Limits};
use crate::house::{Way, found, house_text};
use crate::memory::{STREAMS_MOST, doors, must_be_heard};
use crate::ranks::median;
use crate::streams::{Streams, allowed};

/// An event at the last client by a loop of writes.
pub const LAST: Limits = Limits::at_most(1.5, 1.0);
/// All clients back after a kill, by one second.
pub const BACK: Limits = Limits::at_most(3.0, 1.5);

/// The size of a measurement.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// Clients.
    pub streams: usize,
    /// Rounds: an event of each arm, and a restart.
    pub rounds: usize,
}

/// A server that only writes: to everybody who came, one after another, what it is told to.
#[derive(Debug)]
struct Loop {
    address: SocketAddr,
    tell: Option<Sender<()>>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

/// An event as central sends it, with what goes around it on the wire.
fn heartbeat(seq: usize) -> Vec<u8> {
    let central_ms = wall().as_millis();
    let event = format!("event: hb\ndata: {{\"seq\":{seq},\"central_ms\":{central_ms}}}\n\n");
    format!("{:X}\r\n{event}\r\n", event.len()).into_bytes()
}

impl Loop {
    fn open(count: usize) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let (tell, told) = channel();
        let thread = std::thread::spawn(move || {
            let mut clients = Vec::with_capacity(count);
            while clients.len() < count {
                let (mut client, _) = listener.accept()?;
                client.set_nodelay(true)?;
                client.write_all(b"event: snapshot\n\n")?;
                clients.push(client);
            }
            for seq in told.into_iter().scan(0, |seq, ()| {
                *seq += 1;
                Some(*seq)
            }) {
                let event = heartbeat(seq);
                clients
                    .iter_mut()
                    .try_for_each(|client| client.write_all(&event))?;
            }
            Ok(())
        });
        Ok(Self {
            address,
            tell: Some(tell),
            thread: Some(thread),
        })
    }

    fn say(&self) {
        if let Some(tell) = &self.tell {
            // A loop that has ended is noticed by whoever waits for what it says.
            let _ = tell.send(());
        }
    }

    fn end(mut self) -> anyhow::Result<()> {
        self.tell = None;
        let ended = self.thread.take().map(JoinHandle::join);
        ended
            .transpose()
            .map_err(|_| anyhow!("the loop panicked"))?
            .transpose()?;
        Ok(())
    }
}

/// Measures.
///
/// # Errors
/// When a stream is refused or hears nothing, or anything fails.
pub fn measure(way: &Way, folder: &Path, size: Size) -> anyhow::Result<Vec<Figure>> {
    let wanted = allowed(size.streams.min(STREAMS_MOST))?;
    let data = folder.join("live");
    drop(found(&data, None, 1)?);
    std::fs::write(data.join("house.toml"), house_text(None) + &doors(wanted))?;
    let mut server = way.serve(&data, None)?;
    let mut streams = Streams::open(server.address(), wanted)?;
    must_be_heard(server.address(), &mut streams)?;
    let plain = Loop::open(wanted)?;
    let mut listeners = Streams::open(plain.address, wanted)?;

    let servers: Vec<u32> = server.process().into_iter().collect();
    let watch = Watch::start(&servers)?;
    let mut ratios = Vec::new();
    let mut values: [Vec<f64>; 4] = Default::default();
    for _ in 0..size.rounds {
        // Central makes its own, every two seconds.
        let ours = streams.heartbeat(|| ()).context("central's streams")?;
        let theirs = listeners.heartbeat(|| plain.say());
        let theirs = theirs.context("streams of the loop")?;
        ratios.push(ours.last.as_secs_f64() / theirs.last.as_secs_f64());
        for (list, value) in
            values
                .iter_mut()
                .zip([ours.first, ours.last, theirs.first, theirs.last])
        {
            list.push(ms(value));
        }
    }
    let others = watch.others()?;
    drop(listeners);
    plain.end()?;
    let [first, last, plain_first, plain_last] = values.map(|list| median(&list));
    let mut figures = vec![Figure {
        command: "live",
        what: format!("an event at the last of {wanted} streams by a loop of writes"),
        ratios,
        context: format!(
            "central: first {first:.1} ms, last {last:.1} ms; loop: first {plain_first:.1} ms, last \
             {plain_last:.1} ms"
        ),
        limits: Some(LAST),
        others,
    }];

    let (mut back, mut shares, mut starts) = (Vec::new(), Vec::new(), Vec::new());
    let mut turned_away = 0;
    for _ in 0..size.rounds {
        let killed = now();
        server.kill()?;
        server = way.serve(&data, None)?;
        let started = killed.elapsed();
        let watch = Watch::start(&server.process().into_iter().collect::<Vec<u32>>())?;
        turned_away += streams
            .come_back(server.address())
            .context("streams that come back")?;
        back.push(killed.elapsed().as_secs_f64());
        shares.push(watch.others()?);
        starts.push(ms(started));
        must_be_heard(server.address(), &mut streams)?;
    }
    figures.push(Figure {
        command: "live",
        what: format!("all {wanted} streams back after a kill, by one second"),
        context: format!(
            "{:.0} ms from the kill, of which {:.0} ms until central listens; {turned_away} came too \
             many at once and came again, in all rounds",
            median(&back) * 1_000.0,
            median(&starts)
        ),
        ratios: back,
        limits: Some(BACK),
        others: crate::cpu::median(&shares),
    });
    Ok(figures)
}
