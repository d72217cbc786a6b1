//! The public door: requests to the server of central, in this process.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use actix_web::dev::Service;
use actix_web::rt::SystemRunner;
use actix_web::test::TestRequest;
use actix_web::{App, test, web};
use keno_central::server;

/// An answer of central.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Status.
    pub status: u16,
    /// Media type.
    pub content_type: String,
    /// Header `Retry-After`.
    pub retry_after: Option<String>,
    /// Body.
    pub body: String,
    /// Body of what is no text.
    pub bytes: Vec<u8>,
}

impl Answer {
    /// Whether it is not a problem.
    pub fn is_good(&self) -> bool {
        self.status < 400
    }

    /// The body as a reply.
    pub fn json<T: serde::de::DeserializeOwned>(&self) -> T {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

type Pending = Pin<Box<dyn Future<Output = Answer>>>;

/// A request that waits for its answer.
pub type Waiting = actix_web::rt::task::JoinHandle<Answer>;

/// The door.
pub struct Door {
    /// What it answers for.
    pub app: web::Data<keno_central::app::App>,
    system: SystemRunner,
    call: Rc<dyn Fn(TestRequest) -> Pending>,
}

impl Door {
    /// Opens the door of an application.
    pub fn open(app: keno_central::app::App) -> Self {
        let system = actix_web::rt::System::new();
        let data = web::Data::new(app);
        let app = data.clone();
        let service = Rc::new(system.block_on(test::init_service(
            App::new().configure(move |cfg| server::configure(cfg, data)),
        )));
        let call = Rc::new(move |request: TestRequest| -> Pending {
            let service = Rc::clone(&service);
            Box::pin(async move {
                match service.call(request.to_request()).await {
                    Ok(response) => {
                        let header = |name: &str| {
                            let value = response.headers().get(name)?;
                            Some(value.to_str().unwrap_or_default().to_owned())
                        };
                        let (status, content_type, retry_after) = (
                            response.status().as_u16(),
                            header("content-type").unwrap_or_default(),
                            header("retry-after"),
                        );
                        let body = test::read_body(response).await;
                        Answer {
                            status,
                            content_type,
                            retry_after,
                            body: String::from_utf8_lossy(&body).into_owned(),
                            bytes: body.to_vec(),
                        }
                    }
                    Err(error) => panic!("the server gave no answer: {error}"),
                }
            })
        });
        Self { app, system, call }
    }

    /// Asks and waits for the answer.
    pub fn ask(&self, request: TestRequest) -> Answer {
        self.system.block_on((self.call)(request))
    }

    /// Asks and leaves the answer for later, once `is_waiting` says that it waits.
    pub fn ask_later(&self, request: TestRequest, is_waiting: impl Fn() -> bool) -> Waiting {
        let pending = (self.call)(request);
        let mut started = None;
        self.system.block_on(async {
            let task = actix_web::rt::spawn(pending);
            while !is_waiting() && !task.is_finished() {
                tokio::task::yield_now().await;
            }
            started = Some(task);
        });
        started.unwrap()
    }

    /// The answer of a request that was left for later.
    pub fn answer_of(&self, waiting: Waiting) -> Answer {
        self.system.block_on(waiting).unwrap()
    }
}
