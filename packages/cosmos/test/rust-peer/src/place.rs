//! The container that is shared, as the environment names it: by the same variables as for our provider.

use duroxide::providers::Provider;
use duroxide_cdb::{CosmosDBProvider, CosmosDBProviderConfig};
use std::sync::Arc;

/// The provider's own concurrency stays at one dispatcher, which serves all slots: with more, each task that is a
/// dispatcher serves a share only (docs/reference/upstream/cosmos-hazards.md, W63).
pub async fn connect() -> Result<Arc<dyn Provider>, String> {
    let config = CosmosDBProviderConfig {
        endpoint: variable("COSMOSDB_ENDPOINT")?,
        key: variable("COSMOSDB_KEY")?,
        database: variable("COSMOSDB_DATABASE")?,
        container: variable("COSMOSDB_CONTAINER")?,
        ..Default::default()
    };
    let provider = CosmosDBProvider::new_with_config(config).await;
    Ok(Arc::new(provider.map_err(|error| error.to_string())?))
}

fn variable(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|_| format!("{name} is not set"))
}
