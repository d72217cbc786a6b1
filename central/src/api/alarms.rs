//! The alarms that stand, and those that were cleared lately.

use keno_wire::reply::Bilingual;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use super::handler::{App, Reply, web};
use crate::alarm::Told;

/// One alarm.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AlarmView {
    /// Stable name, such as `draw_suspended`.
    pub name: String,
    /// Which one of several it is about: a draw number, a file; else empty.
    pub subject: String,
    /// What happened and what to do.
    pub sentence: Bilingual,
    /// When it was raised, UTC milliseconds.
    pub since_ms: i64,
    /// When it was cleared, UTC milliseconds; absent while it stands.
    pub cleared_ms: Option<i64>,
}

/// The alarms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AlarmsReply {
    /// Those that stand, by name.
    pub standing: Vec<AlarmView>,
    /// Those that were cleared lately, the newest first.
    pub recent: Vec<AlarmView>,
}

fn view(told: Told) -> AlarmView {
    AlarmView {
        name: told.alarm.name.name().to_owned(),
        sentence: Bilingual::of(&told.alarm),
        subject: told.alarm.subject,
        since_ms: told.since_ms,
        cleared_ms: told.cleared_ms,
    }
}

/// The alarms that stand, and those that were cleared lately.
#[utoipa::path(
    get, path = "/api/v1/alarms", tag = "house", operation_id = "alarms",
    responses((status = 200, description = "The alarms", body = AlarmsReply))
)]
pub(super) async fn alarms(app: web::Data<App>) -> Reply<AlarmsReply> {
    Ok(web::Json(AlarmsReply {
        standing: app.alarms.standing().into_iter().map(view).collect(),
        recent: app.alarms.recent().into_iter().map(view).collect(),
    }))
}
