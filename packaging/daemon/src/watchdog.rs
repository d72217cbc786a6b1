//! The keep-alive. It is sent by whoever has just seen the program at work, never by a timer
//! alone: a program whose work hangs is silent, and systemd starts it again.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};

use crate::supervisor::Supervisor;

/// Looks are made so many times within the time that the supervisor allows.
const LOOKS_WITHIN: u32 = 4;

/// Looks whether the program is at work, and tells the supervisor so.
#[derive(Debug)]
pub struct Watchdog {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    /// Starts looking, when the supervisor asks for it at all. `is_at_work` may wait as long as
    /// the work does: while it waits nothing is told.
    ///
    /// # Errors
    /// When there is no thread.
    pub fn start(
        supervisor: Arc<Supervisor>,
        is_at_work: impl FnMut() -> bool + Send + 'static,
    ) -> std::io::Result<Option<Self>> {
        let Some(within) = supervisor.watchdog() else {
            return Ok(None);
        };
        let (stop, stops) = channel();
        let every = within / LOOKS_WITHIN;
        let pause = move |stops: &Receiver<()>| {
            matches!(stops.recv_timeout(every), Err(RecvTimeoutError::Timeout))
        };
        let thread = thread::Builder::new()
            .name("watchdog".to_owned())
            .spawn(move || look(&supervisor, is_at_work, || pause(&stops)))?;
        Ok(Some(Self {
            stop: Some(stop),
            thread: Some(thread),
        }))
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        drop(self.stop.take());
        if self
            .thread
            .take()
            .is_some_and(|thread| thread.join().is_err())
        {
            tracing::error!("the watchdog ended in a panic");
        }
    }
}

/// Looks, tells, pauses, until `pause` says that it is over.
pub fn look(
    supervisor: &Supervisor,
    mut is_at_work: impl FnMut() -> bool,
    mut pause: impl FnMut() -> bool,
) {
    let mut was_at_work = true;
    loop {
        let is_now = is_at_work();
        if is_now {
            supervisor.alive();
        } else if was_at_work {
            tracing::error!("the work stands still: the watchdog is not told that it goes on");
        }
        was_at_work = is_now;
        if !pause() {
            return;
        }
    }
}
