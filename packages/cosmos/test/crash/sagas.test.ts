/** A saga whose process is killed at a request: another process goes on with its steps and its undos. */
import type { HistoryEvent } from "@duroxide-ts/core";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { expect, it } from "vitest";
import { SEED, sample } from "../../../../test/support/effort.ts";
import {
  LOCK_MS,
  openStage,
  type Place,
  RECONCILER_INTERVAL_MS,
  START_MS,
  type Stage,
} from "../support/stage.ts";
import { Children } from "./children.ts";
import { REASON, runSaga, SAGA, SAGA_STEPS } from "./operations/sagas.ts";
import { perform } from "./perform.ts";

/** All locks of the process that died are over. */
const TAKE_OVER_MS = START_MS + 10 * RECONCILER_INTERVAL_MS + LOCK_MS;

/** Names and outcomes, in the order of their ends. */
async function outcomesIn({ provider }: Stage): Promise<readonly (readonly [string, string])[]> {
  const events: readonly HistoryEvent[] = await provider.readHistory("i").catch(() => []);
  const names = new Map(
    events.flatMap((event) =>
      event.type === "ActivityScheduled" ? [[event.event_id, event.name] as const] : [],
    ),
  );
  return events.flatMap((event) =>
    event.type === "ActivityCompleted"
      ? [[names.get(event.source_event_id ?? 0) ?? "", event.result] as const]
      : [],
  );
}

it("a saga whose process dies at any request undoes each recorded outcome once, the last one first", async () => {
  await using emulator = await CosmosEmulator.start({ port: 0 });
  const { connectionString } = emulator;
  using children = new Children();
  const { requests, failure } = await perform({ connectionString, container: "whole" }, SAGA, undefined);
  expect(failure).toBeUndefined();
  const snares = requests.flatMap((_, index) =>
    (["before", "after"] as const).map((fate) => ({ nth: index + 1, fate })),
  );
  for (const snare of sample(snares)) {
    const { nth, fate } = snare;
    const place: Place = { connectionString, container: `saga-${nth}-${fate}` };
    const where = `killed ${fate} request ${nth} (${requests[nth - 1]}), seed ${SEED}`;
    const { problems } = await children.kill(place, SAGA, snare);
    expect(problems, where).toEqual([]);
    await using stage = await openStage(place, TAKE_OVER_MS);
    const recorded = await outcomesIn(stage);
    expect(await runSaga(stage), where).toBe(REASON);
    const all = await outcomesIn(stage);
    expect(all.slice(0, recorded.length), where).toEqual(recorded);
    const done = all.slice(0, SAGA_STEPS.length);
    expect(
      done.map(([name]) => name),
      where,
    ).toEqual(SAGA_STEPS.map((step) => `step ${step}`));
    const undone = done.map(([name, outcome]) => [`undo ${name}`, outcome]).toReversed();
    expect(all.slice(SAGA_STEPS.length), where).toEqual(undone);
  }
});
