/** The fate of a fetched batch: the moment between two executions, taken ids, poison, and what comes too late. */
import { describe, expect, it } from "vitest";
import type { FetchedOrchestration, OrchestrationItem } from "../../src/contract/provider.ts";
import { orchestration } from "../../src/define/definitions.ts";
import type { ErrorDetails } from "../../src/wire/error-details.ts";
import type { OrchestratorItem } from "../../src/wire/work-item.ts";
import { history, type Line, STARTED } from "../support/engine-turn.ts";
import { runScript } from "../support/run-script.ts";
import type { Answer } from "../support/scripted-provider.ts";

const job = orchestration("job", async (ctx, input) => [input, await ctx.dequeue("q")]);

const DEQUEUES: Line = ["ExternalSubscribedPersistent", { name: "q" }];
const CONTINUED: Line = ["OrchestrationContinuedAsNew", { input: '"next"' }];
const FAILURE: ErrorDetails = {
  Application: { kind: "OrchestrationFailed", message: "x", retryable: false },
};
const CHILD: Line = [
  "OrchestrationStarted",
  {
    name: "job",
    version: "1.0.0",
    input: "null",
    parent_instance: "p",
    parent_id: 2,
    parent_execution_id: 1,
  },
];
const next: OrchestratorItem = {
  kind: "ContinueAsNew",
  instance: "i",
  orchestration: "job",
  input: '"next"',
  version: null,
  carry_forward_events: [["q", '"carried"']],
};
const queued: OrchestratorItem = { kind: "QueueMessage", instance: "i", name: "q", data: '"new"' };
const stale: OrchestratorItem = {
  kind: "ActivityCompleted",
  instance: "i",
  execution_id: 1,
  id: 2,
  result: "1",
};

function startFrom(parent: string | null, id: number | null, execution?: number) {
  return {
    kind: "StartOrchestration",
    instance: "i",
    orchestration: "impostor",
    input: "null",
    version: null,
    parent_instance: parent,
    parent_id: id,
    ...(execution !== undefined && { parent_execution_id: execution }),
    execution_id: 1,
  } as const;
}

function itemOf(
  messages: readonly OrchestratorItem[],
  stored: OrchestrationItem["history"] = [],
): OrchestrationItem {
  return {
    instanceId: "i",
    orchestrationName: "job",
    version: "1.0.0",
    executionId: 1,
    history: stored,
    messages,
    kvSnapshot: new Map(),
  };
}

/** How the runtime answers the batch. It allows 3 attempts, and backs off from 20 ms to 50 ms. */
async function answer(
  lines: readonly Line[],
  messages: readonly OrchestratorItem[],
  attemptCount = 1,
  loneRuns = 0,
  item: Partial<OrchestrationItem> = {},
) {
  const fetched: FetchedOrchestration = {
    lockToken: "lock",
    attemptCount,
    loneRuns,
    item: { ...itemOf(messages, history(lines)), ...item },
  };
  const [first] = await runScript([fetched], { orchestrations: [job] });
  if (first === undefined) throw new Error("no answer");
  return first;
}

function acked(given: Answer) {
  if (given.kind !== "ack") throw new Error("the batch was given back");
  return {
    ...given,
    types: given.historyDelta.map(({ type }) => type),
    notices: given.orchestratorItems.map((item) =>
      item.kind === "SubOrchFailed" ? `${item.parent_instance}#${item.parent_execution_id}` : item.kind,
    ),
  };
}

describe("after a continue-as-new whose start is not visible yet", () => {
  it.each([
    ["messages", [queued]],
    ["stale completions", [stale]],
    ["a client's start", [startFrom(null, null), queued]],
  ] as const)("%s are given back, longer each time, and that counts", async (_what, messages) => {
    const waits = [];
    for (const attempt of [1, 2, 3]) waits.push(await answer([STARTED, CONTINUED], messages, attempt));

    expect(waits).toEqual(
      [1_000, 2_000, 4_000].map((delayMs) => ({
        kind: "abandon",
        delayMs,
        ignoreAttempt: false,
        blocked: { reason: "store", detail: expect.stringContaining("not visible yet") },
      })),
    );
  });

  it("messages that waited too often poison the execution that never came, and tell the right parent", async () => {
    const poisoned = acked(await answer([CHILD, CONTINUED], [startFrom("impostor", 9, 1), queued], 4));

    expect(poisoned).toMatchObject({
      executionId: 2,
      types: ["OrchestrationStarted", "OrchestrationFailed"],
      historyDelta: [{ event_id: 1, name: "job", parent_instance: "p", parent_id: 2 }, { event_id: 2 }],
      metadata: { status: "Failed", orchestrationName: "job" },
    });
    expect(poisoned.notices).toEqual(["p#1", "impostor#1"]);
  });

  it("the start, once there, takes the carried messages first, and no other start takes its place", async () => {
    const begun = acked(await answer([STARTED, CONTINUED], [startFrom("other", 5, 1), queued, stale, next]));

    expect(begun).toMatchObject({
      executionId: 2,
      types: expect.arrayContaining(["OrchestrationCompleted"]),
    });
    expect(begun.historyDelta.at(-1)).toMatchObject({ output: '["next","carried"]' });
    expect(begun.notices).toEqual(["other#1"]);
  });

  it("a start that no runtime has code for is poison as an execution of its own", async () => {
    const poisoned = acked(await answer([CHILD, CONTINUED], [{ ...next, orchestration: "gone" }], 4, 3));

    expect(poisoned).toMatchObject({
      executionId: 2,
      types: ["OrchestrationStarted", "OrchestrationFailed"],
    });
    expect(poisoned.historyDelta[0]).toMatchObject({ input: '"next"' });
  });

  it("an old history that failed after it is at its end: late messages are dropped", async () => {
    const failed: Line = ["OrchestrationFailed", { details: FAILURE }];
    expect(acked(await answer([STARTED, CONTINUED, failed], [queued]))).toMatchObject({
      types: [],
      metadata: {},
    });
  });
});

describe("a child that continues as new", () => {
  const again = orchestration("job", (ctx, input: unknown) =>
    input === "next" ? "done" : ctx.continueAsNew("job", "next"),
  );
  const ofThirdExecution = {
    ...startFrom("p", 2, 3),
    orchestration: "job",
    deadline_ms: 9_000,
  };

  it("passes on which call of which execution of its parent waits, and until when it may run", async () => {
    const first = { lockToken: "1", attemptCount: 1, loneRuns: 0, item: itemOf([ofThirdExecution]) };
    const [begun] = await runScript([first], { orchestrations: [again] });
    if (begun?.kind !== "ack") throw new Error("the batch was given back");
    const [start] = begun.orchestratorItems;
    if (start?.kind !== "ContinueAsNew") throw new Error(`it sends a ${start?.kind}`);
    const link = { parent_instance: "p", parent_id: 2, parent_execution_id: 3, deadline_ms: 9_000 };
    expect(start).toMatchObject(link);

    const second = { ...first, item: itemOf([start], begun.historyDelta) };
    const [ended] = await runScript([second], { orchestrations: [again] });
    if (ended?.kind !== "ack") throw new Error("the batch was given back");
    expect(ended.historyDelta[0]).toMatchObject(link);
    const { deadline_ms: _, ...address } = link;
    expect(ended.orchestratorItems).toEqual([{ kind: "SubOrchCompleted", ...address, result: "done" }]);
  });
});

describe("a start for an id that is taken", () => {
  it("is ignored where it is the very call that made the instance, as far as that is known", async () => {
    const same = startFrom("p", 2, 1);
    expect(acked(await answer([CHILD], [same])).notices).toEqual([]);

    const others = [startFrom("other", 2, 1), startFrom("p", 3, 1), startFrom("p", 2, 7), startFrom("p", 2)];
    for (const other of others) {
      expect(acked(await answer([CHILD], [other])).notices, JSON.stringify(other)).toHaveLength(1);
    }
  });

  it("fails its parent's call; a finished instance says so", async () => {
    const running = acked(await answer([STARTED], [startFrom("p", 2, 3)]));
    const finished = acked(
      await answer([STARTED, ["OrchestrationCompleted", { output: "1" }]], [startFrom("p", 2, 3)]),
    );

    const message = "sub-orchestration instance id 'i' already exists";
    expect(running.orchestratorItems).toMatchObject([
      { kind: "SubOrchFailed", parent_id: 2, details: { Application: { message } } },
    ]);
    expect(finished.orchestratorItems).toMatchObject([
      { details: { Application: { message: `${message} and is terminal` } } },
    ]);
  });

  it.each<readonly [string, Line, object]>([
    ["completed", ["OrchestrationCompleted", { output: '"done"' }], { result: '"done"' }],
    ["failed", ["OrchestrationFailed", { details: FAILURE }], { details: FAILURE }],
  ])("tells the call that made the instance how it %s", async (_how, end, outcome) => {
    const [notice, ...others] = acked(await answer([CHILD, end], [startFrom("p", 2, 1)])).orchestratorItems;

    const address = { parent_instance: "p", parent_execution_id: 1, parent_id: 2 };
    const kind = "result" in outcome ? "SubOrchCompleted" : "SubOrchFailed";
    expect(notice).toEqual({ kind, ...address, ...outcome });
    expect(others).toEqual([]);
  });

  it("of an unstamped parent goes to the newest execution that the store knows", async () => {
    const finished = acked(
      await answer([STARTED, ["OrchestrationCompleted", { output: "1" }]], [startFrom("p", 2)]),
    );

    expect(finished.notices).toEqual(["p#1"]);
  });
});

describe("a batch that was handed out too often", () => {
  it.each([
    [4, 0],
    [9, 0],
    [4, 2],
    [9, 2],
  ])("runs alone before it is blocked: hand-out %d after %d lone runs", async (attempts, loneRuns) => {
    const ran = acked(await answer([STARTED, DEQUEUES], [queued], attempts, loneRuns));
    expect(ran.types).toContain("OrchestrationCompleted");
  });

  it("is blocked, and not ended, when three lone runs have ended with their process", async () => {
    expect(await answer([STARTED, DEQUEUES], [queued], 4, 3)).toEqual({
      kind: "abandon",
      delayMs: 60_000,
      ignoreAttempt: true,
      blocked: {
        reason: "attempts",
        detail:
          "6 attempts of its turn failed (limit 3), the last of them alone in their process: its process ended, or " +
          "its turn took longer than its lock; deploy code that does not, or terminate the instance",
      },
    });
  });

  it("creates the instance that it fails", async () => {
    expect(acked(await answer([], [{ ...startFrom("p", 2, 1) }, queued], 4))).toMatchObject({
      executionId: 1,
      types: ["OrchestrationStarted", "OrchestrationFailed"],
      metadata: { orchestrationName: "impostor", status: "Failed", parentInstanceId: "p" },
      notices: ["p#1"],
    });
  });
});

describe("late messages", () => {
  it.each<readonly [string, Line]>([
    ["completed", ["OrchestrationCompleted", { output: "1" }]],
    ["failed", ["OrchestrationFailed", { details: FAILURE }]],
  ])("of an instance that has %s are dropped", async (_how, end) => {
    const cancel: OrchestratorItem = { kind: "CancelInstance", instance: "i", reason: "late" };

    expect(acked(await answer([STARTED, end], [queued, stale, cancel]))).toMatchObject({
      types: [],
      orchestratorItems: [],
    });
  });
});

// orchestration-dispatcher.O3
describe("a history of an incompatible version", () => {
  it.each<readonly [string, readonly Line[]]>([
    ["runs", [STARTED, DEQUEUES]],
    ["has ended", [STARTED, ["OrchestrationCompleted", { output: "1" }]]],
  ])(
    "is not read, also above the attempt limit, and no attempt counts: the instance %s",
    async (_how, lines) => {
      const events = history(lines).map((event) => ({ ...event, duroxide_version: "9.0.0" }));
      const given = await answer(lines, [queued], 4, 3, { history: events });
      expect(given).toEqual({ kind: "abandon", delayMs: 1_000, ignoreAttempt: true });
    },
  );
});

// orchestration-dispatcher.O3
describe("a history that cannot be read", () => {
  const UNREADABLE = { historyError: "no such event" };

  it("is not classified: its messages are given back, and the attempt counts", async () => {
    const given = await answer([], [queued], 1, 0, UNREADABLE);
    expect(given).toEqual({ kind: "abandon", delayMs: 1_000, ignoreAttempt: false });
  });

  it("fails its instance above the attempt limit, without code and without a lone run", async () => {
    expect(acked(await answer([], [queued], 4, 0, UNREADABLE)).types).toEqual(["OrchestrationFailed"]);
  });
});

// orchestration-dispatcher.O3
describe("an instance whose code is missing", () => {
  const GONE: Line = [
    "OrchestrationStarted",
    { name: "gone", version: "1.0.0", input: "null", parent_instance: null, parent_id: null },
  ];

  it("needs none where it has ended", async () => {
    const end: Line = ["OrchestrationCompleted", { output: "1" }];
    expect(acked(await answer([GONE, end], [queued]))).toMatchObject({ types: [], metadata: {} });
  });

  it("is poison above its attempt limit without a lone run", async () => {
    expect(acked(await answer([GONE, DEQUEUES], [queued], 4)).types).toEqual(["OrchestrationFailed"]);
  });
});
