/** Every query of the provider with documents to ask it about, made on an endpoint of our own. */
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { Items } from "../../../cosmos-emulator/conformance/client/items.ts";
import { RawClient } from "../../../cosmos-emulator/conformance/client/raw-client.ts";
import type { Fields } from "../../../cosmos-emulator/conformance/client/reply.ts";
import type { Intercept } from "../../src/connection/http-client.ts";
import { CosmosProvider } from "../../src/provider.ts";
import { type AskedQuery, QueryCapture } from "./capture.ts";
import { asWritten } from "./seed.ts";
import { askEverything, askLater } from "./workload.ts";

export interface CollectedQueries {
  readonly queries: readonly AskedQuery[];
  /** What was stored at the end, without what the service adds. */
  readonly documents: readonly Fields[];
}

const PLACE = { database: "queries", container: "queries" };
/** Work that is given back does not come again while the others are looked for. */
const HIDDEN_MS = 60_000;
const BEATS = { beatMs: 2_000, leaseMs: 6_000 };

export async function collectQueries(): Promise<CollectedQueries> {
  await using emulator = await CosmosEmulator.start({ port: 0, explorer: false });
  const place = { connectionString: emulator.connectionString, ...PLACE, onWarning: () => {} };
  const capture = new QueryCapture();
  {
    const options = { ...place, slotLeases: false, reconcilerIntervalMs: 50 } as const;
    await using provider = await CosmosProvider.connectThrough(options, capture.intercept);
    await askEverything(provider);
  }
  await askInParts(place, capture.intercept);
  using raw = closing(new RawClient(new URL(emulator.endpoint), emulator.key));
  const items = new Items(raw.client, `dbs/${PLACE.database}/colls/${PLACE.container}`);
  const pages = await items.pages("SELECT * FROM c");
  return { queries: capture.queries, documents: pages.flatMap(({ objects }) => objects).map(asWritten) };
}

/** Two processes divide the slots, and then ask for their own. */
async function askInParts(
  place: Parameters<typeof CosmosProvider.connect>[0],
  intercept: Intercept,
): Promise<void> {
  await using first = await CosmosProvider.connectThrough({ ...place, slotLeases: BEATS }, intercept);
  await using second = await CosmosProvider.connectThrough({ ...place, slotLeases: BEATS }, intercept);
  await Promise.all([askForAWhile(first), askForAWhile(second)]);
  await askLater(second);
}

/** Until the beat after that in which the other one joined. */
async function askForAWhile(provider: CosmosProvider): Promise<void> {
  const options = { lockTimeoutMs: 1_000, pollTimeoutMs: 500 };
  const untilMs = Date.now() + 2.5 * BEATS.beatMs;
  while (Date.now() < untilMs) {
    const found = await provider.fetchOrchestrationItem(options);
    if (found !== undefined) await provider.abandonOrchestrationItem(found.lockToken, { delayMs: HIDDEN_MS });
    const work = await provider.fetchWorkItem({ ...options, tagFilter: { kind: "any" } });
    if (work !== undefined) await provider.abandonWorkItem(work.lockToken, { delayMs: HIDDEN_MS });
  }
}

function closing(client: RawClient): { readonly client: RawClient } & Disposable {
  return { client, [Symbol.dispose]: () => client.close() };
}
