/**
 * Rejections of owned code are reported to their owner; all other events pass (invariants rejections.R1 to
 * rejections.R4).
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { disowned, interceptRejections, owned, type RejectionOwner } from "../../src/guard/rejections.ts";

type Rejections = typeof import("../../src/guard/rejections.ts");

let copies = 0;

/** A copy with a state of its own: runtimes of other tests in this thread may use the shared one. */
async function ownCopy(): Promise<Rejections> {
  const url = new URL(`../../src/guard/rejections.ts?copy=${copies++}`, import.meta.url);
  return (await import(/* @vite-ignore */ url.href)) as Rejections;
}

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

class Recorder implements RejectionOwner {
  readonly reasons: unknown[] = [];
  handledCount = 0;

  rejected(_promise: object, reason: unknown): void {
    this.reasons.push(reason);
  }

  handled(): void {
    this.handledCount++;
  }
}

/** The listeners of the test runner, which fail the run; the tests replace them. */
let runners: NodeJS.UnhandledRejectionListener[] = [];
let heard: unknown[] = [];
const hear = (reason: unknown): void => void heard.push(reason);

beforeEach(() => {
  runners = process.listeners("unhandledRejection");
  heard = [];
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", hear);
});

afterEach(() => {
  process.removeAllListeners("unhandledRejection");
  for (const listener of runners) process.on("unhandledRejection", listener);
});

const reject = async (reason: string): Promise<never> => {
  await undefined;
  throw reason;
};

describe("a rejection of owned code", () => {
  it("is reported only to its owner, also long after the start of the code (rejections.R1, rejections.R2)", async () => {
    const stop = interceptRejections();
    const [first, second] = [new Recorder(), new Recorder()];
    owned(first, () => void reject("direct"));
    owned(second, () => {
      void nextRound().then(() => void reject("later"));
      void Promise.all([reject("all")]);
    });
    await nextRound();
    await nextRound();
    expect(first.reasons).toEqual(["direct"]);
    expect(second.reasons).toEqual(["all", "later"]);
    expect(heard).toEqual([]);
    stop();
    await nextRound();
  });

  it("is reported as handled when it is awaited later (rejections.R2)", async () => {
    const stop = interceptRejections();
    const owner = new Recorder();
    const late = owned(owner, () => reject("late"));
    await nextRound();
    expect(owner.reasons).toEqual(["late"]);
    await late.catch(() => {});
    await nextRound();
    expect(owner.handledCount).toBe(1);
    stop();
    await nextRound();
  });

  it("does not include what is called on behalf of others", async () => {
    const stop = interceptRejections();
    const owner = new Recorder();
    owned(owner, () => disowned(() => void reject("logger")));
    await nextRound();
    expect(owner.reasons).toEqual([]);
    expect(heard).toEqual(["logger"]);
    stop();
    await nextRound();
  });
});

describe("any other event", () => {
  it("passes: rejections and events of others (rejections.R3)", async () => {
    const stop = interceptRejections();
    const warnings: unknown[] = [];
    const note = (value: unknown): void => void warnings.push(value);
    process.on("duroxide-test" as "message", note);
    void reject("foreign");
    process.emit("duroxide-test" as "message", "hello", undefined);
    await nextRound();
    process.removeListener("duroxide-test", note);
    expect(heard).toEqual(["foreign"]);
    expect(warnings).toEqual(["hello"]);
    stop();
    await nextRound();
  });
});

describe("the wrapper of process.emit", () => {
  it("is removed after its last use, after pending reports of rejections (rejections.R4)", async () => {
    const { interceptRejections, owned } = await ownCopy();
    const before = process.emit;
    const stops = [interceptRejections(), interceptRejections()];
    const owner = new Recorder();
    owned(owner, () => void reject("last"));
    for (const stop of stops) stop();
    expect(process.emit).not.toBe(before);
    await nextRound();
    expect(owner.reasons).toEqual(["last"]);
    expect(process.emit).toBe(before);
  });

  it("lets a wrapper around it stay, and is used again below it (rejections.R4)", async () => {
    const { interceptRejections, owned } = await ownCopy();
    const before = process.emit;
    const stop = interceptRejections();
    const ours = process.emit as (...args: unknown[]) => boolean;
    let calls = 0;
    const theirs = function (this: unknown, ...args: unknown[]): boolean {
      calls++;
      return Reflect.apply(ours, this, args);
    };
    process.emit = theirs as typeof process.emit;
    stop();
    await nextRound();
    expect(process.emit).toBe(theirs);
    void reject("unowned");
    await nextRound();
    expect(heard).toEqual(["unowned"]);

    const stopAgain = interceptRejections();
    expect(process.emit).toBe(theirs);
    const owner = new Recorder();
    calls = 0;
    owned(owner, () => void reject("ours"));
    await nextRound();
    expect([owner.reasons, calls]).toEqual([["ours"], 1]);
    process.emit = ours as typeof process.emit;
    stopAgain();
    await nextRound();
    expect(process.emit).toBe(before);
  });
});
