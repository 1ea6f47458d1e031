/** Places for sessions (session-slots.SP1 to session-slots.SP3). */
import { describe, expect, it } from "vitest";
import { SessionSlots } from "../../src/runtime/activities/session-slots.ts";
import { VirtualClock } from "../../src/testing/index.ts";

const { signal } = new AbortController();

function setUp(limit: number) {
  const clock = new VirtualClock(0);
  return { clock, slots: new SessionSlots({ limit, clock, patienceMs: 1_000 }) };
}

it("a session keeps its place until its last activity has ended (session-slots.SP1)", async () => {
  const { slots } = setUp(1);
  const [one, two] = [await slots.enter("s", signal), await slots.enter("s", signal)];
  expect([one, two]).not.toContain(undefined);
  one?.[Symbol.dispose]();
  expect(slots.isFull).toBe(true);
  two?.[Symbol.dispose]();
  expect(slots.isFull).toBe(false);
});

describe("without a place (session-slots.SP2)", () => {
  it("an activity gets the next one, in the order of the fetches", async () => {
    const { slots } = setUp(1);
    const order: string[] = [];
    const run = async (session: string): Promise<void> => {
      using _place = await slots.enter(session, signal);
      order.push(session);
      await Promise.resolve();
    };
    await Promise.all(["a", "b", "c", "d"].map(run));

    expect(order).toEqual(["a", "b", "c", "d"]);
    expect(slots.isFull).toBe(false);
  });

  it("activities of one session get the same one", async () => {
    const { slots } = setUp(1);
    const first = await slots.enter("a", signal);
    const waiting = [slots.enter("b", signal), slots.enter("c", signal), slots.enter("b", signal)];
    first?.[Symbol.dispose]();

    expect(await waiting[0]).toBeDefined();
    expect(await waiting[2]).toBeDefined();
    expect(slots.isFull).toBe(true);
  });

  it("an activity does not wait for long, and takes no place later", async () => {
    const { clock, slots } = setUp(1);
    const first = await slots.enter("a", signal);
    const waiting = slots.enter("b", signal);
    await clock.advance(1_000);
    expect(await waiting).toBeUndefined();
    first?.[Symbol.dispose]();

    expect(slots.isFull).toBe(false);
    expect(clock.nextDueMs).toBeUndefined();
  });

  it("an activity does not wait when the runtime stops fetching", async () => {
    const { slots } = setUp(1);
    const stopping = new AbortController();
    await slots.enter("a", signal);
    const waiting = slots.enter("b", stopping.signal);
    stopping.abort();

    expect(await waiting).toBeUndefined();
    expect(await slots.enter("b", stopping.signal)).toBeUndefined();
  });
});

describe("a fetch outside of sessions (session-slots.SP3)", () => {
  it("ends when a place becomes free", async () => {
    const { slots } = setUp(1);
    const first = await slots.enter("a", signal);
    const untilFree = slots.untilFree(signal);
    expect(slots.untilFree(signal)).toBe(untilFree);
    first?.[Symbol.dispose]();

    expect(untilFree.aborted).toBe(true);
    expect(slots.untilFree(signal).aborted).toBe(false);
  });

  it("goes on while another activity takes the place at once", async () => {
    const { slots } = setUp(1);
    const first = await slots.enter("a", signal);
    const waiting = slots.enter("b", signal);
    const untilFree = slots.untilFree(signal);
    first?.[Symbol.dispose]();
    await waiting;

    expect(untilFree.aborted).toBe(false);
  });

  it("ends with the other fetches", () => {
    const { slots } = setUp(1);
    const [one, two] = [new AbortController(), new AbortController()];
    const first = slots.untilFree(one.signal);
    one.abort();
    expect(first.aborted).toBe(true);
    const second = slots.untilFree(two.signal);
    expect(second.aborted).toBe(false);
    two.abort();
    expect(second.aborted).toBe(true);
  });
});
