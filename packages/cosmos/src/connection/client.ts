/** Creates the SDK's client, configured so that it sends no request on its own. */
import { Agent as HttpAgent } from "node:http";
import https, { Agent as HttpsAgent } from "node:https";
import { type ConnectionPolicy, CosmosClient } from "@azure/cosmos";
import { type Intercept, makeHttpClient } from "./http-client.ts";
import type { Settings } from "./options.ts";
import { tokenSource } from "./token-source.ts";

/** Failovers are rare, but the client must find the new region before leases expire. */
const ENDPOINT_REFRESH_MS = 60_000;

/** Connections cost time and, where many programs share an address, ports. Further requests wait for a free one. */
const MOST_SOCKETS = 100;

/** Disposing ends the client's background work and closes its connections. */
export interface ClientHandle extends Disposable {
  readonly client: CosmosClient;
}

/**
 * Sends nothing yet. A query must name a partition key, or a partition key range in the header
 * `x-ms-documentdb-partitionkeyrangeid` of `initialHeaders`.
 */
export function makeClient(settings: Settings, intercept?: Intercept): ClientHandle {
  const { endpoint, access } = settings;
  const agent = makeAgent(settings);
  const client = new CosmosClient({
    endpoint: endpoint.href,
    ...(access.kind === "key" ? { key: access.key } : { aadCredentials: tokenSource(access.credential) }),
    // Without it the SDK sends no session tokens, whatever the account's own level is
    // (docs/reference/cosmos-protocol.md §1.11).
    consistencyLevel: "Session",
    userAgentSuffix: "duroxide-ts",
    connectionPolicy: connectionPolicy(settings),
    agent,
    httpClient: makeHttpClient(settings, intercept),
  });
  const dispose = (): void => {
    client.dispose();
    agent.destroy();
  };
  return { client, [Symbol.dispose]: dispose };
}

function connectionPolicy({ requestTimeoutMs, preferredLocations }: Settings): ConnectionPolicy {
  return {
    requestTimeout: requestTimeoutMs,
    preferredLocations: [...preferredLocations],
    enableEndpointDiscovery: true,
    enableBackgroundEndpointRefreshing: true,
    endpointRefreshRateInMs: ENDPOINT_REFRESH_MS,
    // Accounts with several write regions are rejected when the container is opened.
    useMultipleWriteLocations: false,
    // Disabled, because it would look up the range of every request.
    enablePartitionLevelFailover: false,
    // Disables retries of throttled requests; `http-client.ts` prevents the other retries.
    retryOptions: { maxRetryAttemptCount: 0 },
  };
}

/**
 * Uses the proxy that Node is told to use (`NODE_USE_ENV_PROXY`), as its own agent does. Not for a certificate that is
 * not verified, because the proxy could read everything.
 */
function makeAgent({ endpoint, acceptSelfSignedCertificate }: Settings): HttpAgent | HttpsAgent {
  if (endpoint.protocol === "http:") return new HttpAgent({ keepAlive: true, maxSockets: MOST_SOCKETS });
  const { proxyEnv } = https.globalAgent.options;
  return new HttpsAgent({
    ...(!acceptSelfSignedCertificate && { proxyEnv }),
    keepAlive: true,
    maxSockets: MOST_SOCKETS,
    minVersion: "TLSv1.2",
    rejectUnauthorized: !acceptSelfSignedCertificate,
  });
}
