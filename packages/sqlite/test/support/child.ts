/**
 * A process of its own for tests. `turns` begins instances as fast as it can until it is killed, and prints the
 * id of each whose first turn is acknowledged. `drain` processes what is queued in the file, both kinds of
 * work, and prints what it did until nothing more has come for a while.
 */
import { writeSync } from "node:fs";
import { argv } from "node:process";
import type { FetchedOrchestration, FetchedWork, OrchestrationAck } from "@duroxide-ts/core/stores";
import {
  activity,
  completion,
  eventOf,
  raised,
  scheduled,
  started,
  startItem,
  turnOf,
} from "@duroxide-ts/provider-tests/building-blocks";
import { SqliteProvider } from "@duroxide-ts/sqlite";

const [, , mode, path = "", name = ""] = argv;

const IDLE_MS = 700;

const provider = await SqliteProvider.open(path);

/** Writes synchronously, because the process may be killed next. A full pipe fails until the parent has read. */
function print(line: string): void {
  let rest = Buffer.from(`${line}\n`);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
  }
}

function ack(fetched: FetchedOrchestration, more: Partial<OrchestrationAck>): Promise<unknown> {
  return provider.ackOrchestrationItem(turnOf(fetched, more));
}

/** A turn that touches everything: five events, three activities, a message, KV and a status. */
async function firstTurn(fetched: FetchedOrchestration): Promise<string> {
  const id = fetched.item.instanceId;
  await ack(fetched, {
    historyDelta: [
      started(id),
      scheduled(id, 2),
      scheduled(id, 3),
      eventOf("KeyValueSet", id, 4, { key: "k", value: id, last_updated_at_ms: 1 }),
      eventOf("CustomStatusUpdated", id, 5, { status: id }),
    ],
    workerItems: [2, 3, 4].map((n) => activity(id, n)),
    orchestratorItems: [raised("inbox", id)],
    metadata: { orchestrationName: "TestOrch", orchestrationVersion: "1.0.0" },
  });
  return id;
}

async function turns(): Promise<void> {
  const lane = async (number: number): Promise<void> => {
    for (let n = 0; ; n++) {
      await provider.enqueueForOrchestrator(startItem(`${name}-${number}-${n}`));
      const fetched = await provider.fetchOrchestrationItem({ lockTimeoutMs: 60_000, pollTimeoutMs: 1_000 });
      if (fetched !== undefined && fetched.item.instanceId !== "inbox") print(await firstTurn(fetched));
    }
  };
  await Promise.all([1, 2, 3, 4, 5].map(lane));
}

async function drain(): Promise<void> {
  const tagFilter = { kind: "any" } as const;
  let underWay = 0;
  // On a busy machine the other process may take everything for a while, so a process ends only after it has worked.
  let lastMs = Number.POSITIVE_INFINITY;
  const isOver = (): boolean => underWay === 0 && performance.now() >= lastMs + IDLE_MS;
  const work = async (act: () => Promise<void>): Promise<void> => {
    underWay++;
    await act();
    underWay--;
    lastMs = performance.now();
  };
  const orchestrator = async (): Promise<void> => {
    while (!isOver()) {
      const options = { lockTimeoutMs: 60_000, pollTimeoutMs: IDLE_MS };
      const fetched = await provider.fetchOrchestrationItem(options);
      if (fetched !== undefined) await work(() => turn(fetched));
    }
  };
  const worker = async (): Promise<void> => {
    while (!isOver()) {
      const options = { lockTimeoutMs: 60_000, pollTimeoutMs: IDLE_MS, tagFilter };
      const fetched = await provider.fetchWorkItem(options);
      if (fetched !== undefined) await work(() => run(fetched));
    }
  };
  await Promise.all([orchestrator(), orchestrator(), worker(), worker()]);
  await provider[Symbol.asyncDispose]();
}

async function turn(fetched: FetchedOrchestration): Promise<void> {
  const { instanceId, history, messages } = fetched.item;
  if (history.length === 0) await firstTurn(fetched);
  else await ack(fetched, { historyDelta: [scheduled(instanceId, history.length + 1)] });
  for (const message of messages) print(`${message.kind} ${instanceId}`);
}

async function run({ item, lockToken }: FetchedWork): Promise<void> {
  await provider.ackWorkItem(lockToken, completion(item.instance, Number(item.id)));
  print(`activity ${item.instance}/${item.id}`);
}

await (mode === "drain" ? drain() : turns());
