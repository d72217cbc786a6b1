//! Descriptors: the doors promise connections, and the system must be able to give them.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// For the record, the logs, the printer of reports, reading connections and a backup.
const FILES: usize = 256;

/// Sees that so many sockets can be open beside central's files; the limit of this process is
/// raised as far as the system lets it.
///
/// # Errors
/// What the system allows, where that is less.
pub fn keep(sockets: usize) -> Result<(), u64> {
    let needed = u64::try_from(sockets + FILES).unwrap_or(u64::MAX);
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= needed) {
        return Ok(());
    }
    let most = limit.maximum.unwrap_or(u64::MAX);
    if most < needed {
        return Err(most);
    }
    let raised = Rlimit {
        current: Some(needed),
        maximum: limit.maximum,
    };
    setrlimit(Resource::Nofile, raised).map_err(|_| limit.current.unwrap_or(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_cannot_give_is_said() {
        assert_eq!(keep(1), Ok(()));
        if let Some(most) = getrlimit(Resource::Nofile).maximum {
            assert_eq!(keep(usize::try_from(most).unwrap()), Err(most));
        }
    }
}
