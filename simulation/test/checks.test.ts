/** The checks of a simulation see what they are there for. */
import type { HistoryEvent, OrchestrationStatus } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { type Beginning, begunTooOften } from "../checks/by-hand.ts";
import { missingCleanUp } from "../checks/clean-ups.ts";
import { historyViolations } from "../checks/histories.ts";
import { LinearReads, type Scope } from "../checks/linear-reads.ts";
import { wrongSagas } from "../checks/sagas.ts";
import { strayChildren } from "../checks/stray-children.ts";
import { NOTHING_SENT, wrongResult } from "../programs/expected.ts";
import { CLEAN_UP_ID, type Program, type Step } from "../programs/step.ts";

const listed = (...ids: readonly string[]) => ids.map((instanceId) => ({ instanceId }));

const NOT_FOUND: OrchestrationStatus = { status: "NotFound" };

describe("the model of programs", () => {
  const receive: Step = { do: "receive", from: "queue", name: "q" };
  const messages = ["0", "1"].map((value) => ({ to: "queue", name: "q", value }) as const);

  it("requires messages once and in their order", () => {
    const sent = { messages, areInOrder: true };
    expect(wrongResult([receive, receive], ["0", "1"], sent)).toBeUndefined();
    expect(wrongResult([receive, receive], ["0", "0"], sent)).toContain("message 1");
    expect(wrongResult([receive, receive], ["1", "0"], sent)).toContain("message 0");
  });

  it("requires messages once, but in any order where the clock of their sender went back", () => {
    const sent = { messages, areInOrder: false };
    expect(wrongResult([receive, receive], ["1", "0"], sent)).toBeUndefined();
    expect(wrongResult([receive, receive], ["1", "1"], sent)).toContain("message 0");
  });

  it("lets any branch win a race, with its own value", () => {
    const race: Step = { do: "race", steps: [{ do: "timer", ms: 1 }, { do: "system" }] };
    expect(wrongResult([race], [{ index: 0, value: "timer" }], NOTHING_SENT)).toBeUndefined();
    expect(wrongResult([race], [{ index: 1, value: true }], NOTHING_SENT)).toBeUndefined();
    expect(wrongResult([race], [{ index: 1, value: "timer" }], NOTHING_SENT)).toBeDefined();
  });

  it("compares reads with what earlier steps wrote", () => {
    const steps: Step[] = [{ do: "write", key: "a", value: 1 }, { do: "again" }, { do: "read", key: "a" }];
    expect(wrongResult(steps, [1, 1], NOTHING_SENT)).toBeUndefined();
    expect(wrongResult(steps, [1, "nothing"], NOTHING_SENT)).toContain("a to be 1");
  });
});

describe("executions that operators begin", () => {
  const begun = (verb?: Beginning): readonly HistoryEvent[] =>
    [{ type: "OrchestrationStarted", ...(verb && { revision: { verb } }) }] as unknown as HistoryEvent[];
  const histories = new Map([
    ["i#1", begun()],
    ["i#2", begun("restart")],
    ["i#3", begun("restart")],
    ["i::sub::2#2", begun("retry")],
  ]);
  const check = (restarts: number, retries: number): readonly string[] => {
    const calls = new Map<Beginning, number>([
      ["restart", restarts],
      ["retry", retries],
    ]);
    return begunTooOften("i", calls, histories);
  };

  it("are as many as calls that were not refused, at most", () => {
    expect(check(2, 1)).toEqual([]);
    expect(check(1, 1)).toHaveLength(1);
    expect(check(2, 0), "of a child").toEqual([]);
    expect(begunTooOften("i", new Map(), histories), "a verb without a call").toHaveLength(1);
  });
});

describe("a child of a program that is started over", () => {
  const withMark = (mark?: string): string => JSON.stringify({ steps: [], results: [], mark });
  const check = (ofChild: string | undefined, ofParent: string | undefined): readonly string[] =>
    strayChildren(
      new Map([
        ["i#1", [{ type: "SubOrchestrationScheduled", input: withMark(ofParent) }]],
        ["i::sub::2#1", [{ type: "OrchestrationStarted", input: withMark(ofChild) }]],
      ] as unknown as [string, readonly HistoryEvent[]][]),
    );

  it("is of the life that is stored", () => {
    expect(check("second", "second")).toEqual([]);
    expect(check(undefined, undefined), "of another program").toEqual([]);
    expect(check("first", "second")).toEqual(["i::sub::2#1: is a child of an earlier life of its parent"]);
  });
});

describe("the clean-up of a cancelled program", () => {
  const failed = { type: "OrchestrationFailed" };
  const timer = { type: "TimerCreated", event_id: 2, on_cancel: true };
  const request = { type: "OrchestrationCancelRequested" };
  const step = { type: "ActivityScheduled", event_id: 4, input: '{"do":"work","id":0}' };
  const cleanUp = { type: "ActivityScheduled", event_id: 5, input: `{"do":"work","id":${CLEAN_UP_ID}}` };
  const ended = { type: "ActivityCompleted", source_event_id: 5 };
  const started = { type: "OrchestrationStarted", input: '{"steps":[],"results":[],"cleansUp":true}' };
  const check = (...events: readonly object[]): readonly string[] =>
    missingCleanUp("i#1", [started, ...events] as HistoryEvent[]);

  it("has run to its end or for its time", () => {
    expect(check(timer, request, cleanUp, ended, failed)).toEqual([]);
    expect(check(timer, request, cleanUp, { type: "TimerFired" }, failed)).toEqual([]);
    expect(check(timer, request, cleanUp, failed)).toHaveLength(1);
    expect(check(timer, request, failed)).toHaveLength(1);
  });

  it("is not a step that the turn of the cancellation reached", () => {
    expect(check(timer, request, step, cleanUp, ended, failed)).toEqual([]);
    expect(check(timer, request, step, { ...ended, source_event_id: 4 }, failed)).toHaveLength(1);
  });

  it("is not asked for where nothing was registered", () => {
    expect(check({ ...timer, on_cancel: undefined }, request, failed)).toEqual([]);
  });
});

describe("the undos of a saga", () => {
  const scheduled = (event_id: number, name: string) => ({ type: "ActivityScheduled", event_id, name });
  const completed = (source_event_id: number, result: string) => ({
    type: "ActivityCompleted",
    source_event_id,
    result,
  });
  const steps = [scheduled(2, "at end 1"), completed(2, "1"), scheduled(4, "at end 2"), completed(4, "2")];
  const request = { type: "OrchestrationCancelRequested" };
  const failed = { type: "OrchestrationFailed" };
  const undo1 = [scheduled(7, "undo at end 1"), completed(7, "1")];
  const undo2 = [scheduled(9, "undo at end 2"), completed(9, "2")];
  const check = (...events: readonly object[]): readonly string[] =>
    wrongSagas("i#1", events as HistoryEvent[]);

  it("are of each step that is done, the last one first, with its outcome", () => {
    expect(check(...steps, request, ...undo2, ...undo1, failed)).toEqual([]);
    expect(check(...steps, request, ...undo2), "while it runs").toEqual([]);
    expect(check(...steps, request, ...undo1, ...undo2, failed), "the order").toHaveLength(1);
    expect(check(...steps, request, ...undo2, failed), "one is missing").toHaveLength(1);
    expect(check(...steps, request, ...undo2, ...undo2, ...undo1, failed), "one is twice").toHaveLength(1);
    const other = [scheduled(7, "undo at end 1"), completed(7, "3")];
    expect(check(...steps, request, ...undo2, ...other, failed), "the outcome").toHaveLength(1);
  });

  it("are none where it completes, and none of a step that ended after the cancellation", () => {
    expect(check(...steps, { type: "OrchestrationCompleted" })).toEqual([]);
    expect(check(...steps, ...undo2, ...undo1, { type: "OrchestrationCompleted" })).toHaveLength(1);
    expect(check(...steps.slice(0, 3), request, completed(4, "2"), ...undo1, failed)).toEqual([]);
  });
});

describe("the order of reads", () => {
  const steps: Step[] = [
    { do: "status", value: 1 },
    { do: "receive", from: "queue", name: "q" },
    { do: "write", key: "a", value: 2 },
    { do: "again" },
    { do: "system" },
  ];
  const program: Program = {
    instanceId: "i",
    startsAtMs: 0,
    steps,
    messages: [{ to: "queue", name: "q", value: "0" }],
    gapMs: 0,
    cancelAfterMs: undefined,
    suspension: undefined,
    cleansUp: false,
    start: { ifExists: "reuse" as const, messages: 0, timeoutMs: undefined },
    operations: [],
  };

  function readsOf(across: Scope): { readonly reads: LinearReads; readonly violations: readonly string[] } {
    const violations: string[] = [];
    let step = 0;
    const onViolation = (each: string): unknown => violations.push(each);
    const reads = new LinearReads([program], { across, step: () => step++, onViolation });
    reads.starting("i");
    return { reads, violations };
  }

  function running(executionId: number, customStatus: unknown): OrchestrationStatus {
    return { status: "Running", executionId, customStatus, customStatusVersion: 0 };
  }

  it("has no older state in another process after a newer one", async () => {
    const { reads, violations } = readsOf("processes");
    await reads.status("i", "a", async () => running(1, 1));
    await reads.status("i", "b", async () => running(1, undefined));
    expect(violations).toHaveLength(1);
  });

  it("has no entry without what was written before it", async () => {
    const { reads, violations } = readsOf("processes");
    reads.sending("i", 0);
    await reads.entry("i", "a", "a", async () => 2);
    await reads.status("i", "b", async () => running(1, undefined));
    expect(violations).toHaveLength(1);
  });

  it("leaves processes apart whose reads may lag behind", async () => {
    const { reads, violations } = readsOf("one process");
    await reads.status("i", "a", async () => running(1, 1));
    await reads.status("i", "b", async () => NOT_FOUND);
    expect(violations).toEqual([]);
  });

  it("takes reads at the same time in any order", async () => {
    const violations: string[] = [];
    const onViolation = (each: string): unknown => violations.push(each);
    const reads = new LinearReads([program], { across: "processes", step: () => 1, onViolation });
    reads.starting("i");
    await reads.status("i", "a", async () => running(1, 1));
    await reads.status("i", "b", async () => NOT_FOUND);
    expect(violations).toEqual([]);
  });

  it("has each list show an instance that was seen, once", async () => {
    const { reads, violations } = readsOf("processes");
    await reads.status("i", "a", async () => running(1, undefined));
    await reads.list(undefined, "b", async () => listed("i", "another"));
    expect(violations).toEqual([]);
    await reads.list(undefined, "b", async () => listed("another"));
    await reads.list(undefined, "b", async () => listed("i", "i"));
    expect(violations).toHaveLength(2);
  });

  it("has no list of the running ones with an instance that has ended", async () => {
    const { reads, violations } = readsOf("processes");
    reads.sending("i", 0);
    await reads.list("Running", "a", async () => listed("i"));
    await reads.list("Completed", "a", async () => listed("i"));
    await reads.list("Running", "a", async () => []);
    expect(violations).toEqual([]);
    await reads.list("Running", "a", async () => listed("i"));
    await reads.list("Completed", "a", async () => []);
    expect(violations).toHaveLength(2);
  });

  it("shows nothing of a message before it was sent", async () => {
    const { reads, violations } = readsOf("processes");
    await reads.entry("i", "a", "a", async () => 2);
    expect(violations).toEqual(["i: 2 was read before message 0 was sent"]);
  });

  it("shows no value that the program never has", async () => {
    const { reads, violations } = readsOf("processes");
    await reads.entry("i", "a", "a", async () => 3);
    await reads.status("i", "a", async () => running(3, 1));
    expect(violations).toHaveLength(2);
  });
});

describe("the invariants of histories", () => {
  const common = {
    source_event_id: null,
    timestamp_ms: 10,
    instance_id: "i",
    execution_id: 1,
    duroxide_version: "0.1.0",
  } as const;

  it("allow no end by a timeout before its time, where clocks agree", () => {
    const type = "OrchestrationCancelRequested";
    const event: HistoryEvent = { ...common, event_id: 1, type, reason: "timeout: 5 ms", deadline_ms: 11 };
    expect(historyViolations("i#1", [event], true)).toHaveLength(1);
    expect(historyViolations("i#1", [event], false)).toEqual([]);
    expect(historyViolations("i#1", [{ ...event, deadline_ms: 10 }], true)).toEqual([]);
  });

  it("allow a message once", () => {
    const arrival = (id: number): HistoryEvent => ({
      ...common,
      event_id: id,
      type: "ExternalEventPersistent",
      name: "q",
      data: '"0"',
    });
    expect(historyViolations("i#1", [arrival(1)], true)).toEqual([]);
    expect(historyViolations("i#1", [arrival(1), arrival(2)], true)).toEqual([
      'i#1: event 2 is message q "0" again',
    ]);
  });
});
