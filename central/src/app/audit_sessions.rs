//! Auditors signed in at the pages: in memory alone, by the hash of their token.

use std::collections::HashMap;

use keno_record::chance::Chance;
use keno_record::keys::{Tag, token_hash};
use keno_service::Stop;
use keno_service::staff::Recognised;
use parking_lot::Mutex;

use crate::pages::view::Purpose;

/// A session ends so long after its last use.
const IDLE_MS: i64 = 30 * 60 * 1000;

/// An auditor signed in at the pages.
#[derive(Debug, Clone)]
pub struct AuditSession {
    /// Who signed in.
    pub who: Recognised,
    /// At which device, and by which key of it.
    pub at: (u32, Tag),
    /// What each form of the session carries.
    pub form_token: String,
    /// Why they look, if it was said at sign-in.
    pub purpose: Option<Purpose>,
    used_ms: i64,
}

/// Auditors signed in, by the hash of their token.
#[derive(Debug, Default)]
pub struct AuditSessions(Mutex<HashMap<[u8; 32], AuditSession>>);

impl AuditSessions {
    /// Opens a session, and gives its token.
    ///
    /// # Errors
    /// When the system has no entropy.
    pub fn open(
        &self,
        who: Recognised,
        at: (u32, Tag),
        purpose: Option<Purpose>,
        now_ms: i64,
    ) -> Result<String, Stop> {
        let token = Chance::System.token()?;
        let session = AuditSession {
            who,
            at,
            form_token: Chance::System.token()?,
            purpose,
            used_ms: now_ms,
        };
        let mut all = self.0.lock();
        all.retain(|_, session| now_ms - session.used_ms < IDLE_MS);
        all.insert(token_hash(token.as_bytes()), session);
        Ok(token)
    }

    /// The session of a token, if it has not ended; it is used now.
    pub fn find(&self, token: &str, now_ms: i64) -> Option<AuditSession> {
        let mut all = self.0.lock();
        all.retain(|_, session| now_ms - session.used_ms < IDLE_MS);
        let session = all.get_mut(&token_hash(token.as_bytes()))?;
        session.used_ms = now_ms;
        Some(session.clone())
    }

    /// Ends the session of a token.
    pub fn close(&self, token: &str) {
        self.0.lock().remove(&token_hash(token.as_bytes()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_lasts_thirty_minutes_after_its_last_use_and_its_token_is_not_kept() {
        let sessions = AuditSessions::default();
        let who = Recognised {
            badge: "A1".to_owned(),
            roles: Vec::new(),
            credential: None,
        };
        let open = || {
            let at = (12, [7; 32]);
            sessions.open(who.clone(), at, Some(Purpose::Claim), 0)
        };
        let token = open().unwrap();
        assert_eq!(sessions.find(&token, IDLE_MS - 1).unwrap().who.badge, "A1");
        assert_eq!(
            sessions.find(&token, 2 * IDLE_MS - 2).unwrap().who.badge,
            "A1"
        );
        assert!(!format!("{sessions:?}").contains(&token));
        assert!(sessions.find("", 0).is_none());
        assert!(sessions.find(&token, 4 * IDLE_MS).is_none());
        let token = open().unwrap();
        sessions.close(&token);
        assert!(sessions.find(&token, 1).is_none());
    }
}
