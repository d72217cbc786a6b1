//! The one thread that has the journal and the printer: commands come to it one at a time, and
//! between two of them it asks central about what is in doubt.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use keno_wire::reply::Bilingual;
use keno_wire::request::CommandKey;
use keno_words::counter as words;
use parking_lot::{Condvar, Mutex};
use tokio::sync::oneshot;

use super::board::{Board, Link, OpenView, PrinterLine};
use super::counter::customer::Customer;
use super::counter::on_sale::OnSale;
use super::task::Task;
use crate::agent::{Agent, Done, Pause};
use crate::central::Central;
use crate::clock::{now, since_ms};
use crate::exit::{Exit, Stop};
use crate::journal::{Item, Stage};
use crate::printer::{Standing, condition};
use crate::told::{Choice, Line, Nobody, Person, Told};

/// How often the thread shows that it turns, when nothing else moves it.
const TURN_EVERY: Duration = Duration::from_secs(2);
/// How often central is asked about what is in doubt, between commands.
const ASK_EVERY: Duration = Duration::from_millis(500);
/// How often the printer of a counter is asked how it is, when nothing else is done.
const PRINTER_EVERY_MS: u64 = 4_000;
/// How often one that said nothing is: each question waits a while for its answer.
const SILENT_PRINTER_EVERY_MS: u64 = 60_000;

/// A command of the agent.
pub type Work = Box<dyn FnOnce(&mut Agent<'static>) -> Result<Exit, Stop> + Send>;

/// What the person in front of a page has answered before it is asked. Nothing else that is asked in
/// the middle of a command is answered there: it stays open, and the page shows it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Beforehand {
    /// The clerk has looked at the paper.
    pub paper_is_whole: Option<bool>,
}

impl Person for Beforehand {
    fn decide(&mut self, choice: Choice) -> Option<bool> {
        match choice {
            // The answer is about one paper: the next is looked at first.
            Choice::PaperIsWhole => self.paper_is_whole.take(),
            _ => None,
        }
    }
}

struct Job {
    task: Task,
    beforehand: Beforehand,
    work: Work,
    reply: oneshot::Sender<Done>,
}

enum Message {
    Job(Job),
    /// Central stands otherwise than before.
    Changed,
    /// The certificate was renewed: another way to central.
    Renewed,
}

/// Interrupts a long row of questions about the keys that pages mean, and about no other.
#[derive(Default)]
struct Interrupt {
    meant: Mutex<Vec<CommandKey>>,
    told: Condvar,
}

impl Interrupt {
    fn change(&self, change: impl FnOnce(&mut Vec<CommandKey>)) {
        change(&mut self.meant.lock());
        self.told.notify_all();
    }

    /// Waits before the next question about a key; false when that key is to be asked about no
    /// more. A clerk who puts anything aside does not wait for what is put aside already.
    fn wait(&self, key: CommandKey, is_parked: bool, pause: Duration) -> bool {
        let mut meant = self.meant.lock();
        let goes_on = |meant: &mut Vec<CommandKey>| {
            !(meant.contains(&key) || (is_parked && !meant.is_empty()))
        };
        self.told.wait_while_for(&mut meant, goes_on, pause);
        goes_on(&mut meant)
    }
}

/// A way to the hands, for whoever has a command for them.
#[derive(Clone)]
pub struct Hands {
    to: Sender<Message>,
    interrupt: Arc<Interrupt>,
    board: Arc<Board>,
}

/// The hands cannot do it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotTaken {
    /// Another command is at work.
    Busy,
    /// The hands have stopped.
    Stopped,
}

/// What the hands need that cannot be made on another thread: the agent itself.
pub(super) type MakeAgent =
    Box<dyn FnOnce(Pause<'static>) -> anyhow::Result<Agent<'static>> + Send>;

/// Another way to central, after the certificate was renewed.
pub(super) type Reconnect = Box<dyn Fn() -> anyhow::Result<Central> + Send>;

impl Hands {
    /// Starts the thread. It ends when the last way to it is gone.
    ///
    /// # Errors
    /// When there is no thread, or the agent cannot be made.
    pub(super) fn start(
        make: MakeAgent,
        reconnect: Reconnect,
        is_counter: bool,
        board: &Arc<Board>,
    ) -> anyhow::Result<(Self, JoinHandle<()>)> {
        let (to, from) = channel();
        let interrupt = Arc::new(Interrupt::default());
        let hands = Self {
            to,
            interrupt: Arc::clone(&interrupt),
            board: Arc::clone(board),
        };
        let (made, is_made) = channel();
        let board = Arc::clone(board);
        let thread = thread::Builder::new()
            .name("hands".to_owned())
            .spawn(move || {
                let _guard = EndsWithItsHands;
                let one_question = Rc::new(Cell::new(false));
                let pause: Pause<'static> = {
                    let (interrupt, board) = (Arc::clone(&interrupt), Arc::clone(&board));
                    let one_question = Rc::clone(&one_question);
                    Box::new(move |item: &Item, pause| {
                        if one_question.get() && !pause.is_zero() {
                            return false;
                        }
                        if !one_question.get() {
                            board.asks(item);
                        }
                        board.turns();
                        interrupt.wait(item.key, board.is_parked(item.key), pause)
                    })
                };
                match make(pause) {
                    Ok(agent) => {
                        let thread = Thread {
                            agent,
                            board,
                            interrupt,
                            one_question,
                            reconnect,
                            looks_at_printer: is_counter,
                            printer_every_ms: PRINTER_EVERY_MS,
                            looked_at: None,
                        };
                        // Before any page is served: one that shows nothing open sends the
                        // clerk on to the next patron.
                        thread.show();
                        let _ = made.send(Ok(()));
                        thread.run(&from);
                    }
                    Err(error) => {
                        let _ = made.send(Err(error));
                    }
                }
            })?;
        is_made.recv()??;
        Ok((hands, thread))
    }

    /// Central stands otherwise than before.
    pub(super) fn changed(&self) {
        let _ = self.to.send(Message::Changed);
    }

    /// The certificate was renewed.
    pub(super) fn renewed(&self) {
        let _ = self.to.send(Message::Renewed);
    }

    /// Asking about this key ends with the next answer, or now.
    pub fn interrupt(&self, key: CommandKey) {
        self.interrupt.change(|meant| meant.push(key));
    }

    /// Does a command, with what the person has answered already.
    ///
    /// # Errors
    /// [`NotTaken`].
    pub async fn run(
        &self,
        task: Task,
        beforehand: Beforehand,
        work: Work,
    ) -> Result<Done, NotTaken> {
        if !self.board.reserve(task) {
            return Err(NotTaken::Busy);
        }
        let ended = self.queue(task, beforehand, work).await;
        if ended.is_err() {
            self.board.set_busy(None);
        }
        ended
    }

    /// As [`Self::run`], after whatever is at work now.
    ///
    /// # Errors
    /// [`NotTaken::Stopped`].
    pub async fn queue(
        &self,
        task: Task,
        beforehand: Beforehand,
        work: Work,
    ) -> Result<Done, NotTaken> {
        let (reply, ended) = oneshot::channel();
        let job = Job {
            task,
            beforehand,
            work,
            reply,
        };
        self.to
            .send(Message::Job(job))
            .map_err(|_| NotTaken::Stopped)?;
        ended.await.map_err(|_| NotTaken::Stopped)
    }
}

/// An agent without hands does nothing, and looks as if it did: it ends with them, and is started
/// again by whoever looks after it.
struct EndsWithItsHands;

impl Drop for EndsWithItsHands {
    fn drop(&mut self) {
        if thread::panicking() {
            tracing::error!("the hands ended in a panic: this program ends");
            std::process::abort();
        }
    }
}

struct Thread {
    agent: Agent<'static>,
    board: Arc<Board>,
    interrupt: Arc<Interrupt>,
    one_question: Rc<Cell<bool>>,
    reconnect: Reconnect,
    /// Only a counter does.
    looks_at_printer: bool,
    printer_every_ms: u64,
    looked_at: Option<Instant>,
}

impl Thread {
    fn run(mut self, from: &Receiver<Message>) {
        self.look_at_printer();
        loop {
            self.board.turns();
            match from.recv_timeout(self.next_question()) {
                Ok(Message::Job(job)) => {
                    // Whoever gave the command has its answer first.
                    if self.job(job) == Exit::PrinterTrouble {
                        self.looked_at = None;
                        self.look_at_printer();
                    }
                }
                Ok(Message::Renewed) => self.reconnect(),
                Ok(Message::Changed) => self.ask(),
                Err(RecvTimeoutError::Timeout) => {
                    self.ask();
                    self.look_at_printer();
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
            self.show();
        }
    }

    /// The till of this counter is told with what is on sale: nobody waits for the next look.
    fn ask_what_is_on_sale(&self) {
        let before = self.board.on_sale();
        if let Ok(sale) = OnSale::ask(&self.agent.central, before.as_deref()) {
            self.board.set_on_sale(sale);
        }
    }

    /// Between two commands the printer is asked how it is, so that a clerk sees an open cover
    /// before the next patron does. One that says nothing of itself is seldom asked.
    fn look_at_printer(&mut self) {
        let is_due = self
            .looked_at
            .is_none_or(|at| since_ms(at) >= self.printer_every_ms);
        // While central is asked about a command, the hands are for that alone. A paper in doubt is
        // no such thing: the clerk is shown what is wrong with its printer.
        let is_asking = |item: &Item| item.stage() == Stage::Asking;
        let asks = self.agent.journal.open_items().iter().any(is_asking);
        if !self.looks_at_printer || !is_due || asks {
            return;
        }
        self.looked_at = Some(now());
        let now = condition(&self.agent.driver, self.agent.timing);
        self.printer_every_ms = match now.standing {
            Standing::Silent => SILENT_PRINTER_EVERY_MS,
            _ => PRINTER_EVERY_MS,
        };
        let near_end = now.near_end(self.agent.equipment.near_end_tickets);
        self.board.set_printer(PrinterLine {
            state: now.standing.name(),
            sentence: Bilingual::of(&now.standing),
            near_end,
        });
    }

    fn reconnect(&mut self) {
        match (self.reconnect)() {
            Ok(mut central) => {
                central.set_session(self.agent.central.session().cloned());
                self.agent.central = central;
            }
            Err(error) => tracing::error!(error = format!("{error:#}"), "the way to central"),
        }
    }

    /// How long to wait for a command before central is asked about what is in doubt, if anything
    /// is.
    fn next_question(&self) -> Duration {
        if self.waiting().is_empty() {
            TURN_EVERY
        } else {
            ASK_EVERY
        }
    }

    /// Commands that central alone can bring further.
    fn waiting(&self) -> Vec<Item> {
        let waits = |item: &Item| {
            matches!(
                item.stage(),
                Stage::Asking | Stage::Parked | Stage::ToReport
            )
        };
        let mut items = self.agent.journal.open_items();
        items.retain(waits);
        items
    }

    /// Asks once about each command in doubt. What central knows is printed.
    fn ask(&mut self) {
        if matches!(self.board.link(), Link::HandedOver(_)) {
            self.leave();
        }
        if self.agent.journal.is_handed_out() {
            return;
        }
        if !matches!(self.board.link(), Link::Trusted | Link::Skewed) {
            return;
        }
        if self.waiting().is_empty() {
            return;
        }
        self.one_question.set(true);
        for item in self.waiting() {
            self.agent.told = Told::to(Nobody);
            let done = self
                .agent
                .carry_out(|agent| agent.take_up(&item).map(|()| Exit::Done));
            for line in &done.said {
                let Bilingual { fr, en } = line.sentence();
                tracing::info!(key = ?item.key, "{fr}");
                tracing::info!(key = ?item.key, "{en}");
            }
            if let Some(error) = done.fault {
                tracing::error!(error = format!("{error:#}"), "a command in doubt");
            }
        }
        self.one_question.set(false);
    }

    /// This device was handed over: what is open is another's, and the journal says so before
    /// anything else is done.
    fn leave(&mut self) {
        self.agent.told = Told::to(Nobody);
        let done = self
            .agent
            .carry_out(|agent| agent.hear_of_hand_overs().map(|_| Exit::Done));
        if let Some(error) = done.fault {
            tracing::error!(error = format!("{error:#}"), "a hand-over");
        }
        for line in done.said.iter().filter(|line| !line.is_fact()) {
            let Bilingual { fr, en } = line.sentence();
            tracing::info!("{fr}");
            tracing::info!("{en}");
        }
    }

    fn job(&mut self, job: Job) -> Exit {
        self.board.set_busy(Some(job.task));
        self.interrupt.change(Vec::clear);
        self.agent.told = Told::to(job.beforehand);
        let mut done = self.agent.carry_out(job.work);
        if let Some(error) = done.fault.take() {
            tracing::error!(error = format!("{error:#}"), command = ?job.task, "failed");
            done.said
                .push(Line::Note(Bilingual::of(&words::TerminalHasFault)));
        }
        if let Some(shown) = done.fact.as_ref().and_then(Customer::of) {
            self.board.set_customer(shown);
        }
        if job.task.changes_till() {
            self.ask_what_is_on_sale();
        }
        // Before the page hears of it: what it asks next must show what came of it.
        self.show();
        self.board.set_busy(None);
        let exit = done.exit;
        // A page that has gone away is no reason to stop.
        let _ = job.reply.send(done);
        exit
    }

    fn show(&self) {
        let views = |items: Vec<Item>| items.iter().map(OpenView::from).collect();
        let journal = &self.agent.journal;
        self.board.set_commands(journal.len());
        self.board.set_open(
            views(journal.open_items()),
            views(journal.left_items()),
            self.agent.signed_on(),
        );
        self.board
            .set_handed_out(self.agent.journal.is_handed_out());
        self.board.set_draft(self.agent.draft.as_ref());
    }
}
