//! A worker and a client of the Rust implementation of durable orchestrations, for the tests that let it share a
//! container with ours. `serve` is the worker; every other command is one call of the client. Results go to the
//! standard output, a line each, everything else to the standard error.

mod client;
mod hanging;
mod place;
mod programs;
mod serve;

use std::process::ExitCode;
use tracing_subscriber::EnvFilter;

/// Code that hangs takes a thread away; the rest must go on, renewals of locks above all.
#[tokio::main(flavor = "multi_thread", worker_threads = 4)]
async fn main() -> ExitCode {
    log_to_stderr();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.split_first() {
        Some((command, options)) if command == "serve" => serve::serve(options).await,
        Some((command, parameters)) => client::perform(command, parameters).await,
        None => Err("say what to do: serve, start, wait, status, kv, raise or enqueue".to_string()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// The runtime would log to the standard output, unless a subscriber is set before it.
fn log_to_stderr() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .init();
}
