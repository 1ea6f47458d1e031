/**
 * Starts whose id was drawn for them: nothing is read before their first turn (docs/decisions/cosmos-turns.md). It is a hint:
 * where it is wrong, there is one first turn all the same.
 */
import type { OrchestratorItem, StartInstanceOptions } from "@duroxide-ts/core/stores";
import { given, mustFetch, queueMessage, startItem } from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import type { Plan } from "../support/plan.ts";
import { LOCK_MS } from "../support/stage.ts";
import { begin, commit } from "../support/steps.ts";
import { useStage } from "../support/use-stage.ts";
import { expectSettled, requestsOf, waiting } from "../support/waiting-fetch.ts";

const TOGETHER = 'batch ["a"] Create instance, Create history';
const LOCKED = 'batch ["a"] Create orch_queue, Create instance';
const ALONE = 'batch ["a"] Create orch_queue';
const NEW = { ifTaken: "tell", isNewId: true } as const;

const stage = useStage("new-ids");

/** A start of the name under which the program commits first turns. */
function startOf(plan: Plan = {}): OrchestratorItem {
  return startItem("a", { orchestration: "Planned", input: JSON.stringify(plan) });
}

/** Number of first turns that the history has. */
async function firstTurns(): Promise<number> {
  const history = await stage.provider.readHistory("a");
  return history.filter(({ type }) => type === "OrchestrationStarted").length;
}

describe("in a process that has begun such an orchestration before", () => {
  it("the start and its first turn are one request", async () => {
    await begin(stage, "before");
    const [fetch] = await waiting(stage);
    const requests = await requestsOf(stage, async () => {
      const started = stage.provider.enqueueForOrchestrator(startOf(), 0, NEW);
      await commit(stage, given(await fetch, "no turn"));
      expect(await started).toBe("stored");
    });
    expect(requests).toEqual([TOGETHER]);
    await expectSettled(stage);
    expect(await firstTurns()).toBe(1);
  });

  it("a turn that takes longer is locked, and goes on without a read", async () => {
    await begin(stage, "before");
    const [fetch] = await waiting(stage);
    const requests = await requestsOf(stage, () => stage.provider.enqueueForOrchestrator(startOf(), 0, NEW));
    expect(requests).toEqual([LOCKED]);
    await commit(stage, given(await fetch, "no turn"));
    await expectSettled(stage);
    expect(await firstTurns()).toBe(1);
  });

  it("unstored-start.T1: where the instance exists, its turn is refused, and the start has no effect", async () => {
    await begin(stage, "before");
    const other = { ...stage, ...(await stage.openAnother()) };
    await begin(other, "a");
    const [fetch] = await waiting(stage);
    const started = stage.provider.enqueueForOrchestrator(startOf(), 0, NEW);
    await expect(commit(stage, given(await fetch, "no turn"))).rejects.toMatchObject({ code: "lock-lost" });
    expect(await started).toBe("stored");
    await expectSettled(stage);
    expect(await firstTurns()).toBe(1);
  });

  it("unstored-start.T1: of two processes that are told the same id, one commits a first turn", async () => {
    const other = { ...stage, ...(await stage.openAnother()) };
    await begin(stage, "before");
    await begin(other, "before too");
    const sides = [];
    for (const side of [stage, other]) {
      const [fetch] = await waiting(side);
      const started = side.provider.enqueueForOrchestrator(startOf(), 0, NEW);
      sides.push({ started, committed: fetch?.then((fetched) => commit(side, given(fetched, "no turn"))) });
    }
    const settled = await Promise.allSettled(sides.map(({ committed }) => committed));
    expect(settled.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await Promise.all(sides.map(({ started }) => started))).toEqual(["stored", "stored"]);
    await expectSettled(stage);
    expect(await firstTurns()).toBe(1);
  });

  it("unstored-start.T1: a commit whose answer is lost is stored once", async () => {
    await begin(stage, "before");
    const [fetch] = await waiting(stage);
    stage.trap.loseAnswerOf(/Create history/, async () => {});
    const started = stage.provider.enqueueForOrchestrator(startOf(), 0, NEW);
    await commit(stage, given(await fetch, "no turn"));
    expect(await started).toBe("stored");
    await expectSettled(stage);
    expect(await firstTurns()).toBe(1);
  });

  it("where an earlier start waits, one of the two begins, and the other has no effect", async () => {
    await begin(stage, "before");
    const other = await stage.openAnother();
    await other.provider.enqueueForOrchestrator(startOf());
    await stage.clock.advance(1);
    const [fetch] = await waiting(stage);
    const started = stage.provider.enqueueForOrchestrator(startOf(), 0, NEW);
    await commit(stage, given(await fetch, "no turn"));
    await started;
    await expectSettled(stage);
    expect(await firstTurns()).toBe(1);
  });
});

it("the first start of a name in a process is stored locked, and its turn begins without a read", async () => {
  const [fetch] = await waiting(stage);
  const requests = await requestsOf(stage, async () => {
    await stage.provider.enqueueForOrchestrator(startOf(), 0, NEW);
    expect(await fetch).toMatchObject({ attemptCount: 1, item: { instanceId: "a", history: [] } });
  });
  expect(requests).toEqual([LOCKED]);
  await stage.clock.advance(LOCK_MS + 1);
  const again = await mustFetch(stage);
  expect(again.attemptCount).toBe(2);
  await commit(stage, again);
  await expectSettled(stage);
});

it("a client whose process has no worker writes only the start", async () => {
  const { provider } = stage;
  const requests = await requestsOf(stage, async () => {
    expect(await provider.enqueueForOrchestrator(startOf(), 0, NEW)).toBe("stored");
  });
  expect(requests).toEqual([ALONE]);
});

it("a start with a deadline and messages is one request, without a mark and a look for others", async () => {
  const options: StartInstanceOptions = {
    ifExists: "fail",
    messages: [queueMessage("a", "q")],
    deadline: { item: { kind: "CancelInstance", instance: "a", reason: "late" }, delayMs: 60_000 },
    messageId: "m",
    isNewId: true,
  };
  const requests = await requestsOf(stage, async () => {
    const start = startItem("a");
    expect(await stage.provider.startInstance(start, options)).toEqual({ kind: "stored", created: true });
  });
  expect(requests).toEqual(['batch ["a"] Create receipt, Create orch_queue']);
  expect((await mustFetch(stage)).item.messages).toHaveLength(2);
});
