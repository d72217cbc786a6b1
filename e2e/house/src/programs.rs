//! The real programs as child processes, everything that they say kept.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use keno_testing::programs;
use rustix::process::{Pid, Signal, kill_process};

/// Longer than anything takes that a program is waited for.
const PATIENCE: Duration = Duration::from_secs(120);

/// A program to start: `keno-central` or `keno-terminal`, its log at its loudest.
pub fn program(name: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(programs().unwrap().join(name));
    command.args(arguments);
    // Whoever runs the tests may have settings of their own.
    for (name, _) in std::env::vars_os() {
        if name.as_encoded_bytes().starts_with(b"BOULIER_") {
            command.env_remove(name);
        }
    }
    command.env("BOULIER_LOG", "trace");
    command
}

/// A child and what it says.
pub struct Program {
    child: Child,
    said: Arc<Mutex<Vec<u8>>>,
    lines: Receiver<String>,
    listeners: Vec<JoinHandle<()>>,
}

/// Keeps what a stream says, and passes its lines on.
fn listen(
    stream: impl Read + Send + 'static,
    said: Arc<Mutex<Vec<u8>>>,
    tell: Sender<String>,
) -> JoinHandle<()> {
    std::thread::spawn(move || {
        let mut stream = BufReader::new(stream);
        let mut line = Vec::new();
        while stream
            .read_until(b'\n', &mut line)
            .is_ok_and(|count| count > 0)
        {
            said.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .extend_from_slice(&line);
            // A test that has seen enough listens no more.
            let _ = tell.send(String::from_utf8_lossy(&line).trim_end().to_owned());
            line.clear();
        }
    })
}

impl Program {
    /// Starts it; `typed` is what a person types, and then nobody types any more.
    ///
    /// # Panics
    /// When it cannot be started.
    pub fn start(mut command: Command, typed: &str) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let said = Arc::default();
        let (tell, lines) = channel();
        let listeners = vec![
            listen(
                child.stdout.take().unwrap(),
                Arc::clone(&said),
                tell.clone(),
            ),
            listen(child.stderr.take().unwrap(), Arc::clone(&said), tell),
        ];
        let mut input = child.stdin.take().unwrap();
        // One that asks nothing may have ended.
        let _ = input.write_all(typed.as_bytes());
        drop(input);
        Self {
            child,
            said,
            lines,
            listeners,
        }
    }

    /// The first thing that is found in a line that it says.
    ///
    /// # Panics
    /// When it ends, or is silent, without it.
    pub fn hears<T>(&self, find: impl Fn(&str) -> Option<T>) -> T {
        loop {
            let Ok(line) = self.lines.recv_timeout(PATIENCE) else {
                panic!("it was never said:\n{}", self.said_text());
            };
            if let Some(found) = find(&line) {
                return found;
            }
        }
    }

    /// Number of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Everything that it has said.
    pub fn said(&self) -> Vec<u8> {
        self.said
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn said_text(&self) -> String {
        String::from_utf8_lossy(&self.said()).into_owned()
    }

    /// A file of the process under `/proc`; none when it may not be read.
    pub fn about(&self, name: &str) -> Option<Vec<u8>> {
        std::fs::read(format!("/proc/{}/{name}", self.id())).ok()
    }

    /// Sends it a signal.
    ///
    /// # Panics
    /// When it is gone.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits until it has ended and everything that it said was heard.
    ///
    /// # Panics
    /// When it cannot be waited for.
    pub fn ended(&mut self) -> ExitStatus {
        let status = self.child.wait().unwrap();
        for listener in self.listeners.drain(..) {
            listener.join().unwrap();
        }
        status
    }

    /// Waits until it has ended, as code `code`; what it said.
    ///
    /// # Panics
    /// When it ended otherwise.
    #[track_caller]
    pub fn ends(mut self, code: i32) -> Vec<u8> {
        let status = self.ended();
        assert_eq!(status.code(), Some(code), "{}", self.said_text());
        self.said()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // A test that failed must not leave a program behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
