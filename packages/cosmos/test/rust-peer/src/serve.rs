//! The worker. It says `serves` when it is ready, takes `go on` at its standard input, and ends with it: a
//! process that started it and is killed leaves nothing behind.

use crate::hanging::HangingPoint;
use crate::{place, programs};
use duroxide::runtime::{Runtime, RuntimeOptions};
use duroxide::TagFilter;
use std::time::Duration;

pub async fn serve(options: &[String]) -> Result<(), String> {
    let mut runtime = RuntimeOptions::default();
    let mut hangs_in = None;
    for option in options {
        let (name, value) = option
            .split_once('=')
            .ok_or(format!("{option}: an option is name=value"))?;
        match name {
            "orchestrations" => runtime.orchestration_concurrency = number(name, value)?,
            "activities" => runtime.worker_concurrency = number(name, value)?,
            "leaseMs" => {
                let lease = Duration::from_millis(number(name, value)? as u64);
                runtime.orchestrator_lock_timeout = lease;
                runtime.worker_lock_timeout = lease;
                runtime.session_lock_timeout = lease;
                runtime.session_lock_renewal_buffer = lease / 2;
            }
            "tags" => runtime.worker_tag_filter = tag_filter(value),
            "hangsIn" => hangs_in = Some(value.to_string()),
            _ => return Err(format!("{name}: there is no such option")),
        }
    }
    let hanging = HangingPoint::new(hangs_in);
    let _runtime = Runtime::start_with_options(
        place::connect().await?,
        programs::activities(hanging.clone()),
        programs::orchestrations(hanging.clone()),
        runtime,
    )
    .await;
    println!("serves");
    obey(hanging)
}

fn number(name: &str, value: &str) -> Result<usize, String> {
    value
        .parse()
        .map_err(|_| format!("{name}: {value} is not a number"))
}

/// `default`, `any`, `none`, or a tag.
fn tag_filter(value: &str) -> TagFilter {
    match value {
        "default" => TagFilter::DefaultOnly,
        "any" => TagFilter::Any,
        "none" => TagFilter::None,
        tag => TagFilter::tags([tag]),
    }
}

/// Until there is no more to read.
fn obey(hanging: HangingPoint) -> Result<(), String> {
    tokio::task::block_in_place(|| {
        for line in std::io::stdin().lines() {
            match line.as_deref() {
                Ok("go on") => hanging.release(),
                _ => break,
            }
        }
    });
    // Not by returning: what hangs would be waited for.
    std::process::exit(0)
}
