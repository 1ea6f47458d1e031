/** One physical partition is kept busy beyond its share while orchestrations in the others go on. */
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@duroxide-ts/core";
import { ATOMIC_BATCH, expect, type Items, keyHeader } from "@duroxide-ts/cosmos-emulator/conformance";
import type { CosmosProvider } from "../../src/provider.ts";
import type { Stage } from "../stage.ts";
import { command } from "./endpoint-commands.ts";
import { Load } from "./load.ts";

const RANGE = "x-ms-documentdb-partitionkeyrangeid";
const WRITERS = 16;
/** Much sooner than the service advises, and not at once, or this process does nothing else. */
const AFTER_429_MS = 50;
const IN_A_BATCH = 100;
/** Orchestrations in the other partitions that must end meanwhile. */
const SOME = 20;
/**
 * Budget a second of the throttled partition in a rehearsal. It is small, because all processes share one processor
 * there.
 */
const REHEARSED_RU = 100;
const REHEARSED_WRITERS = 2;

/** Throws where the others stand still. */
export async function keepHot(stage: Stage, provider: CosmosProvider, items: Items): Promise<object> {
  const [hot = ""] = await items.rangeIds();
  const pk = await keyIn(stage, items, hot);
  // Before the partition is hot: a document that tells where an id lies would wait there.
  const elsewhere = await idsElsewhere(stage, items, hot);
  const { name: container } = items;
  const budget = { database: stage.database, container, range: hot };
  await command(stage, "PUT", "budget", { ...budget, requestUnitsPerSecond: REHEARSED_RU });
  const heat = new Heat(stage, items, pk);
  // It serves the orchestrations that are started here.
  await using _load = await Load.begin(provider, stage.partition("cool"), stage.scale.patienceMs);
  try {
    await ended(stage, provider, elsewhere);
    expect(heat.throttled > 0, "the partition could not be driven into 429");
    return { requests: heat.requests, throttled: heat.throttled };
  } finally {
    await heat.end();
    await command(stage, "PUT", "budget", { ...budget, requestUnitsPerSecond: null });
  }
}

async function keyIn(stage: Stage, items: Items, range: string): Promise<string> {
  for (;;) {
    const pk = stage.partition("hot");
    const { status, header } = await created(items, pk);
    if (status === 201 && header === range) return pk;
  }
}

async function created(
  items: Items,
  pk: string,
): Promise<{ readonly status: number; readonly header: string | undefined }> {
  const reply = await items.create([pk], { id: "a", instanceId: pk });
  return { status: reply.status, header: reply.header(RANGE) };
}

/** Returns ids of instances in the other physical partitions. */
async function idsElsewhere(stage: Stage, items: Items, hot: string): Promise<readonly string[]> {
  const ids: string[] = [];
  while (ids.length < SOME) {
    const id = stage.partition("elsewhere");
    if ((await created(items, id)).header !== hot) ids.push(id);
  }
  return ids;
}

/** Throws where they do not end in time. */
async function ended(stage: Stage, provider: CosmosProvider, instanceIds: readonly string[]): Promise<void> {
  const client = new Client(provider);
  const untilMs = performance.now() + stage.scale.patienceMs;
  for (const [count, instanceId] of instanceIds.entries()) {
    expect(performance.now() < untilMs, `${count} orchestrations of other partitions ended`);
    const instance = await client.start("azure-check load", { instanceId, input: 1 });
    await instance.result({ timeout: stage.scale.patienceMs });
  }
}

/** Writers that hardly wait when they are throttled. */
class Heat {
  requests = 0;
  throttled = 0;
  readonly #lanes: Promise<unknown>;
  #isOver = false;

  constructor(stage: Stage, { link }: Items, pk: string) {
    const lane = async (writer: number): Promise<void> => {
      for (let n = 0; !this.#isOver; n++) {
        const reply = await stage.raw.send({
          method: "POST",
          link: `${link}/docs`,
          headers: { ...ATOMIC_BATCH, "x-ms-documentdb-partitionkey": keyHeader([pk]) },
          body: Array.from({ length: IN_A_BATCH }, (_, m) => ({
            operationType: "Upsert",
            resourceBody: { id: `heat-${writer}-${m}`, instanceId: pk, n },
          })),
          showThrottling: true,
        });
        this.requests++;
        if (reply.status === 429) {
          this.throttled++;
          await sleep(AFTER_429_MS);
        }
      }
    };
    const writers = stage.place.emulator === undefined ? WRITERS : REHEARSED_WRITERS;
    this.#lanes = Promise.all(Array.from({ length: writers }, (_, writer) => lane(writer)));
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#lanes;
  }
}
