/** Every query of the provider with documents to ask it about, made on an endpoint of our own. */
import type { Processes } from "@duroxide-ts/core/stores";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { expectStatus, type Fields, Items, RawClient } from "@duroxide-ts/cosmos-emulator/conformance";
import { raised } from "@duroxide-ts/provider-tests/building-blocks";
import { newIntent } from "../../src/documents/intent.ts";
import { CosmosProvider } from "../../src/provider.ts";
import { type AskedQuery, QueryCapture } from "./capture.ts";
import { asWritten } from "./seed.ts";
import { askEverything, askLater, REPORT } from "./workload.ts";

export interface CollectedQueries {
  readonly queries: readonly AskedQuery[];
  /** Documents that were stored at the end, without what the service adds. */
  readonly documents: readonly Fields[];
}

const PLACE = { database: "queries", container: "queries" };
/**
 * Parts of queries that only some processes send: those with membership, those without work, and those with an old
 * message.
 */
const PARTS = [
  "FROM c WHERE c.type = 'member'",
  "SELECT VALUE c.type FROM c",
  "CONTAINS(c.eventData, @type)",
];
const PARTS_WITHIN_MS = 60_000;
/** Work that is given back does not come again while the others are looked for. */
const HIDDEN_MS = 60_000;
const OLD_MS = 3 * 86_400_000;
const BEATS = { beatMs: 2_000, leaseMs: 6_000 };

export async function collectQueries(): Promise<CollectedQueries> {
  await using emulator = await CosmosEmulator.start({ port: 0, physicalPartitions: 2 });
  const place = { connectionString: emulator.connectionString, ...PLACE, onWarning: () => {} };
  const capture = new QueryCapture();
  {
    const options = { ...place, membership: false, reconcilerIntervalMs: 50 } as const;
    await using provider = await CosmosProvider.connectThrough(options, capture.intercept);
    await askEverything(provider);
  }
  using raw = closing(new RawClient(new URL(emulator.endpoint), emulator.key));
  const items = new Items(raw.client, `dbs/${PLACE.database}/colls/${PLACE.container}`);
  await leaveOldIntent(items);
  await askInParts(place, capture);
  await askOfLaggingReplica(place, capture, emulator);
  const pages = await items.pages("SELECT * FROM c");
  return { queries: capture.queries, documents: pages.flatMap(({ objects }) => objects).map(asWritten) };
}

/** A message that was not delivered for days: its target is looked at before it is. */
async function leaveOldIntent(items: Items): Promise<void> {
  const enqueuedAtMs = Date.now() - OLD_MS;
  const row = {
    id: "old-message",
    instanceId: "tree",
    item: raised("tree", "old"),
    sequence: { writer: "check", number: 0 },
    enqueuedAtMs,
    visibleAtMs: enqueuedAtMs,
  };
  const { body } = newIntent(row, { source: "kept", secret: "check", index: 0 });
  expectStatus(await items.create(["kept"], body), 201);
}

/** Two processes know of each other; with nothing to do they query both queues at once. */
async function askInParts(
  place: Parameters<typeof CosmosProvider.connect>[0],
  capture: QueryCapture,
): Promise<void> {
  const { intercept } = capture;
  const untilMs = Date.now() + PARTS_WITHIN_MS;
  const goesOn = (): boolean =>
    Date.now() < untilMs && !PARTS.every((part) => capture.queries.some(({ text }) => text.includes(part)));
  await using first = await CosmosProvider.connectThrough({ ...place, membership: BEATS }, intercept);
  await using second = await CosmosProvider.connectThrough({ ...place, membership: BEATS }, intercept);
  await Promise.all([askWhile(goesOn, first), askWhile(goesOn, second)]);
  await reportWorker({ ...place, processes: processOf(1) });
  await using later = await CosmosProvider.connectThrough(
    { ...place, membership: false, processes: processOf(2) },
    intercept,
  );
  await askLater(later);
}

/** A process that has reported itself, and has ended for those after it. */
async function reportWorker(place: Parameters<typeof CosmosProvider.connect>[0]): Promise<void> {
  await using provider = await CosmosProvider.connect({ ...place, membership: false });
  await provider.admin.reportWorker("dead", REPORT);
}

function processOf(pid: number): Processes {
  const own = { space: "check", pid, began: "" };
  return { own: () => own, hasEnded: (process) => process.pid < pid };
}

/** A document is read by a query after some replicas have lagged behind. */
async function askOfLaggingReplica(
  place: Parameters<typeof CosmosProvider.connect>[0],
  { intercept }: QueryCapture,
  { faults }: CosmosEmulator,
): Promise<void> {
  await using provider = await CosmosProvider.connectThrough({ ...place, membership: false }, intercept);
  const effect = { kind: "error", status: 404, substatus: 1002 } as const;
  const rule = faults.add({ match: { operation: "item.read" }, effect });
  await provider.getInstanceStatus("absent");
  faults.remove(rule);
}

/** Both queues are waited for. */
async function askWhile(goesOn: () => boolean, provider: CosmosProvider): Promise<void> {
  const options = { lockTimeoutMs: 1_000, pollTimeoutMs: BEATS.beatMs };
  const orchestrations = async (): Promise<void> => {
    while (goesOn()) {
      const found = await provider.fetchOrchestrationItem(options);
      if (found !== undefined)
        await provider.abandonOrchestrationItem(found.lockToken, { delayMs: HIDDEN_MS });
    }
  };
  const activities = async (): Promise<void> => {
    while (goesOn()) {
      const found = await provider.fetchWorkItem({ ...options, tagFilter: { kind: "any" } });
      if (found !== undefined) await provider.abandonWorkItem(found.lockToken, { delayMs: HIDDEN_MS });
    }
  };
  await Promise.all([orchestrations(), activities()]);
}

function closing(client: RawClient): { readonly client: RawClient } & Disposable {
  return { client, [Symbol.dispose]: () => client.close() };
}
