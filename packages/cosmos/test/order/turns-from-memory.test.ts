/**
 * A loop of turns that begin with what the process knows does not keep out what another process sent: the store is
 * read after a bounded number of them, and after a bounded time (src/memory/turn-reads.ts).
 */
import {
  ack,
  activity,
  completion,
  createInstance,
  fetchOrchestration,
  fetchWork,
  given,
  mustFetch,
  queueMessage,
  timer,
} from "@duroxide-ts/provider-tests/building-blocks";
import { beforeEach, describe, expect, it } from "vitest";
import { START_MS } from "../support/stage.ts";
import { useStage } from "../support/use-stage.ts";

const stage = useStage("looks");

const MOST_TURNS = 16;

/** Loop that carries out turns one after the other; the next turn begins with a message of the turn before. */
interface Loop {
  /** One turn; resolves to whether it got a message of another process. */
  turn(n: number): Promise<boolean>;
}

/** A timer that is due at once, in each turn. */
function timers(pauseMs = 0): Loop {
  return {
    async turn(n) {
      await stage.clock.advance(pauseMs);
      const fetched = await mustFetch(stage);
      await ack(stage, fetched, { orchestratorItems: [timer("a", stage.clock.now(), n)] });
      return fetched.item.messages.some(({ kind }) => kind === "QueueMessage");
    },
  };
}

/** The same for fetches that wait, so that commits lock the next turn in passing. */
function timersInPassing(): Loop {
  const fetchLater = (): ReturnType<typeof fetchOrchestration> =>
    fetchOrchestration(stage, { pollTimeoutMs: 60_000 });
  const waiting = [fetchLater(), fetchLater()];
  return {
    async turn(n) {
      const fetched = given(await Promise.race(waiting), "a turn");
      const index = (await Promise.all(waiting.map((each) => Promise.race([each, undefined])))).indexOf(
        fetched,
      );
      waiting[index] = fetchLater();
      await ack(stage, fetched, { orchestratorItems: [timer("a", stage.clock.now(), n)] });
      return fetched.item.messages.some(({ kind }) => kind === "QueueMessage");
    },
  };
}

/** Turns until the message of another process, which is sent after some of them. */
async function turnsUntilHeard(loop: Loop, before = 3): Promise<number> {
  const other = await stage.openAnother();
  for (let n = 0; n < before; n++) await loop.turn(n + 2);
  await other.provider.enqueueForOrchestrator(queueMessage("a", "box"));
  for (let turns = 1; turns <= 100; turns++) if (await loop.turn(before + turns + 2)) return turns;
  return Number.POSITIVE_INFINITY;
}

describe("a message of another process", () => {
  beforeEach(() => createInstance(stage, "a", { orchestratorItems: [timer("a", START_MS)] }));

  // turn-reads.LK1
  it("comes after at most 16 turns of a loop of timers", async () => {
    expect(await turnsUntilHeard(timers())).toBeLessThanOrEqual(MOST_TURNS + 1);
  });

  it("comes after at most 16 turns of a loop whose turns are locked in passing", async () => {
    expect(await turnsUntilHeard(timersInPassing())).toBeLessThanOrEqual(MOST_TURNS + 1);
  });

  // turn-reads.LK3
  it("comes after 200 ms of a loop of timers, in fewer turns", async () => {
    // Four turns take 200 ms.
    expect(await turnsUntilHeard(timers(50))).toBeLessThanOrEqual(4);
  });
});

/** An activity in each turn, which takes this time. */
async function activities(pauseMs = 0): Promise<Loop> {
  await createInstance(stage, "a", { workerItems: [activity("a", 2)] });
  return {
    async turn(n) {
      const { lockToken, item } = given(await fetchWork(stage), "an activity");
      await stage.clock.advance(pauseMs);
      await stage.provider.ackWorkItem(lockToken, completion("a", Number(item.id)));
      const fetched = await mustFetch(stage);
      await ack(stage, fetched, { workerItems: [activity("a", n + 2)] });
      return fetched.item.messages.some(({ kind }) => kind === "QueueMessage");
    },
  };
}

// turn-reads.LK1
it("comes after at most 16 turns of a loop of activities", async () => {
  expect(await turnsUntilHeard(await activities())).toBeLessThanOrEqual(MOST_TURNS + 1);
});

// turn-reads.LK2
it("comes after 200 ms of a loop of activities that are short, in fewer turns", async () => {
  // Eleven turns take more than 200 ms.
  expect(await turnsUntilHeard(await activities(19))).toBeLessThanOrEqual(11);
});

// turn-reads.LK3
it("a message that another process sent before a deadline comes before its timer", async () => {
  const deadline = timer("a", START_MS + 1_000);
  await createInstance(stage, "a", { orchestratorItems: [deadline] });
  const other = await stage.openAnother();
  await stage.clock.advance(900);
  await other.provider.enqueueForOrchestrator(queueMessage("a", "in time"));
  await stage.clock.advance(200);
  expect((await mustFetch(stage)).item.messages).toEqual([queueMessage("a", "in time"), deadline]);
});

// turn-reads.LK2
it("a turn that waited for an activity costs no request more, however long it took", async () => {
  await createInstance(stage, "a", { workerItems: [activity("a", 2)] });
  stage.trap.set(undefined);
  for (let n = 2; n < 6; n++) {
    const { lockToken } = given(await fetchWork(stage), "an activity");
    await stage.clock.advance(10_000);
    await stage.provider.ackWorkItem(lockToken, completion("a", n));
    await ack(stage, await mustFetch(stage), { workerItems: [activity("a", n + 1)] });
  }
  // A caller that does not hold the history reads it, with the instance.
  const isLook = (label: string): boolean => /^query .*instance/.test(label) && !label.includes("history");
  expect(stage.trap.labels.filter(isLook)).toEqual([]);
});
