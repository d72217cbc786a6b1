//! The repository is held against the rules of the house.

use std::process::{Command, Stdio};

use keno_tidy::repository::{TextFile, files, root};
use keno_tidy::{
    Breach, catalogue, documents, floors, french, front, functions, goldens, listed, migrations,
    product_lines, rings, sources, words,
};

/// Fails with all breaches of a rule that looks at one file at a time.
fn hold(rule: fn(&TextFile) -> Vec<Breach>) {
    hold_all(|files| files.iter().flat_map(rule).collect());
}

/// Fails with all breaches of a rule that looks at all files together.
fn hold_all(rule: impl Fn(&[TextFile]) -> Vec<Breach>) {
    let files = files().unwrap_or_default();
    assert!(files.len() > 20, "only {} files were found", files.len());
    none(&rule(&files));
}

fn none(breaches: &[Breach]) {
    assert!(breaches.is_empty(), "\n{}\n", listed(breaches));
}

#[test]
fn packages_need_what_is_drawn_and_nothing_else() {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--offline",
            "--no-deps",
            "--format-version",
            "1",
        ])
        .current_dir(root())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let graph = floors::graph(&String::from_utf8(output.stdout).unwrap()).unwrap();
    none(&floors::breaches(&graph));
}

#[test]
fn migrations_are_the_same_on_both_databases() {
    let files = files().unwrap();
    let is_migration = |file: &&TextFile| file.path.ends_with("/up.sql");
    assert!(
        files.iter().any(|file| is_migration(&file)),
        "no migration was found"
    );
    none(&migrations::breaches(&files));
}

#[test]
fn modules_begin_with_what_they_are_for() {
    hold(sources::without_head);
}

#[test]
fn files_have_one_subject() {
    hold(sources::too_long);
}

#[test]
fn nothing_is_left_open() {
    hold(sources::left_open);
}

#[test]
fn tests_run_and_can_fail_and_wait_on_no_clock() {
    hold(sources::hollow_tests);
}

#[test]
fn the_rules_do_not_reach_the_world() {
    hold(sources::reaches_the_world);
}

#[test]
fn central_states_no_sql() {
    hold(sources::states_sql);
}

#[test]
fn money_and_proofs_are_exact() {
    hold(sources::has_float);
}

#[test]
fn chance_is_asked_for_in_one_place_of_a_package() {
    hold_all(sources::scattered_chance);
}

#[test]
fn manifests_keep_the_lints_of_the_workspace() {
    hold(sources::loose_manifest);
}

#[test]
fn scripts_say_what_they_do() {
    hold(sources::script_without_head);
}

#[test]
fn what_is_cited_is_here() {
    hold_all(words::lost_citations);
}

#[test]
fn french_keeps_its_signs_with_its_words() {
    hold_all(words::loose_french);
}

#[test]
fn every_text_of_the_catalogue_is_asked_for() {
    hold_all(catalogue::idle_texts);
}

#[test]
fn links_lead_somewhere() {
    hold_all(words::dead_links);
}

#[test]
fn no_module_names_itself_through_others() {
    hold_all(rings::breaches);
}

#[test]
fn functions_can_be_seen_whole() {
    hold_all(functions::breaches);
}

#[test]
fn words_that_a_person_reads_leave_the_code() {
    hold_all(french::breaches);
}

#[test]
fn the_architecture_is_told_in_short_paragraphs() {
    hold_all(documents::breaches);
}

#[test]
fn the_product_does_not_grow() {
    hold_all(product_lines::breaches);
}

#[test]
fn the_front_of_the_service_does_not_grow() {
    hold_all(front::breaches);
}

#[test]
fn goldens_are_read_and_are_no_copies() {
    hold_all(goldens::breaches);
}

#[test]
fn each_package_has_one_program_of_tests() {
    hold_all(goldens::programs);
}
