/** Requests whose answer is lost, while others go on with what was written before the request is tried again. */
import {
  ack,
  activity,
  createInstance,
  fetchOrchestration,
  mustFetch,
  raised,
  started,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { letTimePass } from "../connection/fixture.ts";
import { allDocuments } from "../invariants/documents.ts";
import { leftoversIn } from "../invariants/leftovers.ts";
import { LARGE } from "../support/half-done.ts";
import { START_MS } from "../support/stage.ts";
import {
  begin,
  carryOut,
  commit,
  fetchPlanned,
  finishWork,
  mustWork,
  settle,
  work,
} from "../support/steps.ts";
import { useStage } from "../support/use-stage.ts";

const stage = useStage("lost-answer");

async function leftovers(): Promise<readonly string[]> {
  return leftoversIn(await allDocuments(stage.raw));
}

it("a start that has ended, and was restarted by another one, before it is sent again begins once", async () => {
  await begin(stage, "a");
  await carryOut(stage, "a", { end: true });
  const other = { ...stage, ...(await stage.openAnother()) };
  const restart = ({ provider }: Pick<typeof other, "provider">, messageId: string) => {
    const start = startItem("a", { orchestration: "Planned", input: JSON.stringify({ end: true }) });
    return provider.startInstance(start, { ifExists: "restart", messages: [], messageId });
  };
  stage.trap.loseAnswerOf(/Create delete_intent/, async () => {
    await restart(other, "refused");
    await settle(other);
    expect(await restart(other, "second")).toEqual({ kind: "stored", created: true });
    await settle(other);
  });
  expect(await restart(stage, "first")).toEqual({ kind: "stored", created: true });
  expect(await fetchOrchestration(stage)).toBeUndefined();
});

it("an event that was taken before it is sent again arrives once", async () => {
  await begin(stage, "a");
  const other = { ...stage, ...(await stage.openAnother()) };
  stage.trap.loseAnswerOf(/Create orch_queue/, () => settle(other));
  await stage.provider.enqueueForOrchestrator(raised("a", "once"));
  expect(await fetchOrchestration(stage)).toBeUndefined();
  expect(await fetchOrchestration(other)).toBeUndefined();
  expect(await leftovers()).toEqual([]);
});

it("an outcome that was taken before it is sent again is not believed to be there", async () => {
  await begin(stage, "a");
  await carryOut(stage, "a", { activities: [{ label: "x" }] });
  const work = await mustWork(stage);
  stage.trap.loseAnswerOf(/Create orch_queue/, () => settle(stage));
  await finishWork(stage, work);
  expect(await fetchOrchestration(stage)).toBeUndefined();
  expect(await leftovers()).toEqual([]);
});

it("a commit is recognised after others went on, and its messages are not believed to be there", async () => {
  await begin(stage, "a");
  const fetched = await fetchPlanned(stage, "a", { timer: true });
  const other = { ...stage, ...(await stage.openAnother()) };
  stage.trap.loseAnswerOf(/Create orch_queue/, () => settle(other));
  await commit(stage, fetched);
  expect(await fetchOrchestration(stage)).toBeUndefined();
  expect(await leftovers()).toEqual([]);
});

it("a large commit is recognised after others have carried it out", async () => {
  await begin(stage, "a", "b", "c");
  const fetched = await fetchPlanned(stage, "a", LARGE);
  const { provider } = await stage.openAnother();
  stage.trap.loseAnswerOf(/commit_intent/, () => provider.getInstanceStatus("a"));
  await expect(commit(stage, fetched)).resolves.toBeUndefined();
});

// commit.K2
it("a turn with a message that is gone gives its lock back at once", async () => {
  await begin(stage, "a");
  await stage.provider.enqueueForOrchestrator(raised("a", "gone"));
  await stage.provider.enqueueForOrchestrator(raised("a", "there"));
  const fetched = await mustFetch(stage);
  const rows = (await allDocuments(stage.raw)).filter(({ type }) => type === "orch_queue");
  const gone = rows.find(({ workItem }) => String(workItem).includes("gone"));
  await stage.raw.item(gone?.id ?? "", "a").delete();
  await expect(commit(stage, fetched)).rejects.toMatchObject({ code: "lock-lost" });
  const again = await mustFetch(stage);
  expect(again.item.messages).toEqual([raised("a", "there")]);
  await commit(stage, again);
  expect(await leftovers()).toEqual([]);
});

it("an activity that was done before it is sent again is there once", async () => {
  await begin(stage, "a");
  const other = { ...stage, ...(await stage.openAnother()) };
  stage.trap.loseAnswerOf(/Create worker_queue/, async () => finishWork(other, await mustWork(other)));
  await stage.provider.enqueueForWorker(
    activity("a", 7, { input: JSON.stringify({ label: "x", replyTo: "a" }) }),
  );
  expect(await work(stage, "first")).toBeUndefined();
});

it("an execution that was begun by hand is recognised after more turns than the instance lists", async () => {
  await createInstance(stage, "a", { metadata: { status: "Failed", output: "broken" } });
  const other = { ...stage, ...(await stage.openAnother()) };
  stage.trap.loseAnswerOf(/Create history/, async () => {
    for (let turn = 0; turn < 5; turn++) {
      await other.provider.enqueueForOrchestrator(raised("a", "go on"));
      await ack(other, await mustFetch(other), { executionId: 2 });
    }
  });
  const revision = stage.provider.admin.reviseInstance({
    instanceId: "a",
    expected: { executionId: 1, status: "Failed", lastEventId: 1 },
    turn: {
      executionId: 2,
      historyDelta: [started("a", 2)],
      workerItems: [],
      orchestratorItems: [],
      cancelledActivities: [],
      metadata: { orchestrationName: "TestOrch", orchestrationVersion: "1.0.0" },
    },
  });
  expect(await revision).toEqual({ kind: "revised" });
});

describe("although replicas lag behind,", () => {
  function loseAnswerOf(label: RegExp): void {
    const match = { operation: "item.read", container: stage.place.container } as const;
    stage.trap.loseAnswerOf(label, async () =>
      stage.endpoint.faults.add({ match, effect: { kind: "staleRead", writesBehind: 10 } }),
    );
  }

  it("a lock is recognised", async () => {
    await begin(stage, "a");
    const other = { ...stage, ...(await stage.openAnother()) };
    await other.provider.enqueueForOrchestrator(raised("a", "once"));
    loseAnswerOf(/Replace instance/);
    const fetched = await letTimePass(stage.clock, fetchOrchestration(stage));
    expect(fetched?.item.messages).toEqual([raised("a", "once")]);
  });

  it.each([
    ["a commit", { timer: true }, /Create orch_queue/],
    ["a large commit", LARGE, /commit_intent/],
  ] as const)("%s is recognised", async (_, plan, label) => {
    await begin(stage, "a", "b", "c");
    const fetched = await fetchPlanned(stage, "a", plan);
    loseAnswerOf(label);
    await expect(letTimePass(stage.clock, commit(stage, fetched))).resolves.toBeUndefined();
  });

  it("a suspension is recognised", async () => {
    await begin(stage, "a");
    loseAnswerOf(/Replace instance/);
    const suspended = { sinceMs: START_MS, reason: "to look at it" };
    const expected = { executionId: 1, status: "Running" } as const;
    const revision = stage.provider.admin.reviseInstance({ instanceId: "a", expected, suspended });
    expect(await letTimePass(stage.clock, revision)).toEqual({ kind: "revised" });
  });
});
