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
/** Of the throttled partition in a rehearsal. */
const REHEARSED_RU = 100;

/** Throws where the others stand still. */
export async function keepHot(stage: Stage, provider: CosmosProvider, items: Items): Promise<object> {
  const [hot = ""] = await items.rangeIds();
  const pk = await keyIn(stage, items, hot);
  const { name: container } = items;
  const budget = { database: stage.database, container, range: hot };
  await command(stage, "PUT", "budget", { ...budget, requestUnitsPerSecond: REHEARSED_RU });
  const heat = new Heat(stage, items, pk);
  // It serves the orchestrations that are started here.
  await using _load = await Load.begin(provider, stage.partition("cool"), stage.scale.patienceMs);
  try {
    await endedElsewhere(stage, provider, items, hot);
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

/** Of instances in the other physical partitions. */
async function endedElsewhere(
  stage: Stage,
  provider: CosmosProvider,
  items: Items,
  hot: string,
): Promise<void> {
  const client = new Client(provider);
  const untilMs = performance.now() + stage.scale.patienceMs;
  let ended = 0;
  while (ended < SOME) {
    expect(performance.now() < untilMs, `${ended} orchestrations of other partitions ended`);
    const instanceId = stage.partition("elsewhere");
    if ((await created(items, instanceId)).header === hot) continue;
    const instance = await client.start("azure-check load", { instanceId, input: 1 });
    await instance.result({ timeout: stage.scale.patienceMs });
    ended++;
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
    this.#lanes = Promise.all(Array.from({ length: WRITERS }, (_, writer) => lane(writer)));
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#lanes;
  }
}
