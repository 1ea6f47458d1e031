//! One call of the client. Payloads are given and printed as they are stored.

use crate::place;
use duroxide::{Client, ClientError, OrchestrationStatus};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

pub async fn perform(command: &str, parameters: &[String]) -> Result<(), String> {
    let client = Client::new(place::connect().await?);
    let parameters: Vec<&str> = parameters.iter().map(String::as_str).collect();
    let answer = match (command, parameters.as_slice()) {
        ("start", [orchestration, instance, input]) => nothing(
            client
                .start_orchestration(*instance, *orchestration, *input)
                .await,
        ),
        ("raise", [instance, event, data]) => nothing(client.raise_event(*instance, *event, *data).await),
        ("enqueue", [instance, queue, data]) => nothing(client.enqueue_event(*instance, *queue, *data).await),
        ("wait", [instance]) => client
            .wait_for_orchestration(instance, PATIENCE)
            .await
            .and_then(output),
        ("status", [instance]) => client.get_orchestration_status(instance).await.map(custom_status),
        ("kv", [instance, key]) => client
            .get_kv_value(instance, key)
            .await
            .map(Option::unwrap_or_default),
        _ => return Err(format!("{command} {parameters:?}: there is no such call")),
    };
    println!("{}", answer.map_err(|error| error.to_string())?);
    Ok(())
}

fn nothing(done: Result<(), ClientError>) -> Result<String, ClientError> {
    done.map(|()| String::new())
}

fn output(status: OrchestrationStatus) -> Result<String, ClientError> {
    match status {
        OrchestrationStatus::Completed { output, .. } => Ok(output),
        other => Err(ClientError::InvalidInput {
            message: format!("it ended otherwise: {other:?}"),
        }),
    }
}

/// Empty for an instance that has none.
fn custom_status(status: OrchestrationStatus) -> String {
    match status {
        OrchestrationStatus::NotFound => None,
        OrchestrationStatus::Running { custom_status, .. }
        | OrchestrationStatus::Completed { custom_status, .. }
        | OrchestrationStatus::Failed { custom_status, .. } => custom_status,
    }
    .unwrap_or_default()
}
