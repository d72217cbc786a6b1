//! Tests of the transcript: each kind of tampering has its own fault.

use super::*;

pub(crate) fn context() -> DrawContext {
    DrawContext {
        house: "maison d'essai".to_owned(),
        draw: 1_234,
        log_size: 98_765,
        seal_root: [0xA5; 32],
        rule_book_hash: [0x5A; 32],
        pool_size: 80,
        drawn: 20,
    }
}

pub(crate) fn holder(name: &str, context: &DrawContext, secret: [u8; 32]) -> HolderRecord {
    HolderRecord {
        name: name.to_owned(),
        commitment: commitment(&context.house, context.draw, &secret),
        secret,
        beacon: String::new(),
    }
}

fn transcript() -> Transcript {
    let context = context();
    let holders = vec![
        holder("machine", &context, [1; 32]),
        holder("audit", &context, [2; 32]),
    ];
    Transcript::compute(context, holders).unwrap()
}

#[test]
fn a_true_transcript_holds_and_comes_back_from_its_bytes() {
    let transcript = transcript();
    assert_eq!(transcript.check(), Ok(()));
    assert_eq!(Transcript::decode(&transcript.encode()), Some(transcript));
}

#[test]
fn each_tampering_is_named() {
    type Tamper = Box<dyn Fn(&mut Transcript)>;
    let cases: Vec<(&str, Tamper)> = vec![
        ("pool_invalid", Box::new(|t| t.ctx.drawn = 0)),
        ("pool_invalid", Box::new(|t| t.ctx.drawn = 81)),
        ("seal_missing", Box::new(|t| t.ctx.log_size = 0)),
        ("seal_missing", Box::new(|t| t.ctx.seal_root = [0; 32])),
        ("holder_missing", Box::new(|t| t.holders.clear())),
        (
            "holder_repeated",
            Box::new(|t| t.holders[1].name = "machine".to_owned()),
        ),
        ("holder_repeated", Box::new(|t| t.holders[0].name.clear())),
        (
            "secret_repeated",
            Box::new(|t| t.holders[1].secret = t.holders[0].secret),
        ),
        (
            "commitment_mismatch",
            Box::new(|t| t.holders[1].secret[31] ^= 1),
        ),
        (
            "commitment_mismatch",
            Box::new(|t| t.holders[0].commitment[0] ^= 1),
        ),
        ("commitment_mismatch", Box::new(|t| t.ctx.draw += 1)),
        ("commitment_mismatch", Box::new(|t| t.ctx.house.push('x'))),
        ("ball_count", Box::new(|t| t.balls.truncate(19))),
        ("ball_out_of_pool", Box::new(|t| t.balls[3] = 81)),
        ("ball_out_of_pool", Box::new(|t| t.balls[3] = 0)),
        ("ball_repeated", Box::new(|t| t.balls[3] = t.balls[4])),
        ("ball_differs", Box::new(|t| t.balls.swap(0, 1))),
        ("ball_differs", Box::new(|t| t.ctx.log_size += 1)),
        ("ball_differs", Box::new(|t| t.ctx.seal_root[0] ^= 1)),
        ("ball_differs", Box::new(|t| t.ctx.rule_book_hash[0] ^= 1)),
        ("ball_differs", Box::new(|t| t.holders.swap(0, 1))),
        ("words_used_differ", Box::new(|t| t.words_used += 1)),
        ("rejected_differ", Box::new(|t| t.rejected += 1)),
    ];
    for (expected, tamper) in cases {
        let mut tampered = transcript();
        tamper(&mut tampered);
        let fault = tampered.check().unwrap_err();
        assert_eq!(fault.name(), expected, "{fault}");
    }
}

#[test]
fn every_flipped_bit_of_the_bytes_is_caught() {
    let original = transcript();
    let bytes = original.encode();
    let names: Vec<usize> = {
        // The names of the holders are labels, vouched for by the log and the digest, and not
        // by the derivation: those bytes alone may change without `check` noticing.
        let find = |name: &str| {
            bytes
                .windows(name.len())
                .position(|window| window == name.as_bytes())
                .unwrap()
        };
        let (machine, audit) = (find("machine"), find("audit"));
        (machine..machine + 7).chain(audit..audit + 5).collect()
    };
    for place in 0..bytes.len() {
        for bit in 0..8 {
            let mut flipped = bytes.clone();
            flipped[place] ^= 1 << bit;
            let verdict = Transcript::decode(&flipped);
            let accepted = verdict
                .as_ref()
                .is_some_and(|transcript| transcript.check().is_ok());
            assert!(
                !accepted || names.contains(&place),
                "byte {place} bit {bit}"
            );
            if let Some(transcript) = verdict {
                assert_ne!(transcript.digest(), original.digest());
            }
        }
    }
}

#[test]
fn every_cut_of_the_bytes_is_refused() {
    let bytes = transcript().encode();
    for length in 0..bytes.len() {
        assert_eq!(Transcript::decode(&bytes[..length]), None, "{length}");
    }
    let longer = [bytes, vec![0]].concat();
    assert_eq!(Transcript::decode(&longer), None);
}

#[test]
fn debug_shows_no_secret() {
    let text = format!("{:?}", holder("machine", &context(), [0xEE; 32]));
    assert!(text.contains("machine"));
    assert!(
        !text.contains("238") && !text.to_lowercase().contains("eeee"),
        "{text}"
    );
}

#[test]
fn one_holder_is_said_to_be_one() {
    let context = context();
    let alone = vec![holder("machine", &context, [1; 32])];
    let transcript_alone = Transcript::compute(context, alone).unwrap();
    assert_eq!(transcript_alone.assurance(), Assurance::OneHolder);
    // Two holders on the machine that draws are said to be on one machine, and never to be several.
    assert_eq!(transcript().assurance(), Assurance::OneHost);
    for holders in 1..4 {
        let assurance = Assurance::of(holders, []);
        assert!(!assurance.name().contains("several"));
        assert!(assurance.sentence_en().contains("trusts the house"));
    }
    assert!(
        Assurance::OneHolder
            .sentence_en()
            .contains("trusts the house")
    );
}
