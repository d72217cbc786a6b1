//! What a database is written to is for its owner alone, whatever the umask of the process.

use std::os::unix::fs::PermissionsExt;

use keno_schema::Database;
use keno_testing::TestFolder;

#[test]
fn the_files_of_a_record_are_for_their_owner_alone() {
    let folder = TestFolder::new().unwrap();
    let path = folder.path().join("keno.sqlite");
    let mut writer = Database::Sqlite(path.clone()).open_writer().unwrap();
    keno_schema::migrate::migrate(&mut writer).unwrap();
    let mut seen = 0;
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let file = file.unwrap();
        let mode = file.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{:?}", file.file_name());
        seen += 1;
    }
    assert_eq!(seen, 3, "the record, its -wal and its -shm");
}
