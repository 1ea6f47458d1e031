/**
 * instances.I6: a message is consumed before the answer to its write arrives. The process begins no turn
 * with it.
 */
import type { FetchedOrchestration, FetchedWork } from "@duroxide-ts/core/stores";
import { fetchOrchestration, given, raised } from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { allDocuments } from "./invariants/documents.ts";
import { leftoversIn } from "./invariants/leftovers.ts";
import type { Stage } from "./support/stage.ts";
import {
  begin,
  carryOut,
  commit,
  fetchPlanned,
  fetchTurn,
  finishWithTurn,
  finishWork,
  mustWork,
  runHere,
} from "./support/steps.ts";
import { useStage } from "./support/use-stage.ts";

const OUTCOME = /^batch \["a"\] Delete, Create orch_queue$/;

let other: Stage;
const stage = useStage("late-answers", async () => {
  other = { ...stage, ...(await stage.openAnother()) };
});

async function turn(performer: Stage): Promise<void> {
  await commit(performer, given(await fetchTurn(performer), "no turn"));
}

/** A turn of this process, so that the turn before it is not the last one. */
async function furtherTurn(): Promise<void> {
  await carryOut(stage, "a", {});
}

async function expectNothingLeft(): Promise<void> {
  expect(await fetchTurn(stage)).toBeUndefined();
  expect(leftoversIn(await allDocuments(stage.raw))).toEqual([]);
}

describe("an outcome of an activity was consumed", () => {
  let work: FetchedWork;

  async function begun(): Promise<void> {
    await begin(stage, "a");
    await carryOut(stage, "a", { activities: [{ label: "x" }] });
    work = await mustWork(stage);
  }

  async function expectNothingAfter(consume: () => Promise<void>): Promise<void> {
    await begun();
    stage.trap.meanwhile(OUTCOME, consume);
    await finishWork(stage, work);
    await expectNothingLeft();
  }

  it("by the last turn of this process", () => expectNothingAfter(() => turn(stage)));

  it.each([
    ["by an earlier turn of this process", () => stage],
    ["by another process, before a turn of this process", () => other],
  ])("%s", (_, performer) =>
    expectNothingAfter(async () => {
      await turn(performer());
      await furtherTurn();
    }),
  );

  /** The answer arrives while a turn of this process begins, and this request of the turn is under way. */
  async function answeredDuring(request: RegExp): Promise<void> {
    await begun();
    const answered = Promise.withResolvers<void>();
    let fetching: Promise<FetchedOrchestration | undefined> | undefined;
    stage.trap.meanwhile(OUTCOME, async () => {
      await turn(other);
      await other.provider.enqueueForOrchestrator(raised("a", "e"));
      const isUnderWay = Promise.withResolvers<void>();
      stage.trap.meanwhile(request, () => {
        isUnderWay.resolve();
        return answered.promise;
      });
      fetching = fetchTurn(stage);
      await isUnderWay.promise;
    });
    await finishWork(stage, work);
    answered.resolve();
    await commit(stage, given(await fetching, "no turn"));
  }

  it("by another process, before this process reads the instance; the answers cross", async () => {
    await answeredDuring(/^query \["a"\] instance, orch_queue$/);
    await expectNothingLeft();
  });

  it("by another process, before this process locks the instance", async () => {
    await answeredDuring(/^batch \["a"\] Replace instance$/);
    await expectNothingLeft();
  });
});

it("an outcome that is not consumed begins a turn, although a turn has read the instance meanwhile", async () => {
  await begin(stage, "a");
  await carryOut(stage, "a", { activities: [{ label: "x" }] });
  const work = await mustWork(stage);
  await other.provider.enqueueForOrchestrator(raised("a", "e"));
  const fetched = given(await fetchTurn(stage), "no turn");
  stage.trap.meanwhile(OUTCOME, () => commit(stage, fetched));
  await finishWork(stage, work);
  expect((await fetchTurn(stage))?.item.messages).toMatchObject([{ kind: "ActivityCompleted" }]);
});

it("a result of a child was consumed", async () => {
  await begin(stage, "a");
  await carryOut(stage, "a", { children: [{ id: "a::sub::1" }] });
  stage.trap.meanwhile(/^batch \["a"\] Create receipt, Create orch_queue/, async () => {
    await turn(stage);
    await furtherTurn();
  });
  await turn(stage);
  await expectNothingLeft();
});

it("a timer of a turn that has ended an activity was consumed", async () => {
  const running = await runHere(stage, { label: "x", afterwards: { timer: true } });
  let further: FetchedOrchestration | undefined;
  stage.trap.meanwhile(/^batch \["a"\] Replace instance/, async () => {
    await turn(stage);
    further = await fetchPlanned(stage, "a", {});
  });
  await finishWithTurn(stage, running);
  await commit(stage, given(further, "no turn"));
  await expectNothingLeft();
});

it("a message whose write was repeated begins a turn as soon as the turn before it has ended", async () => {
  await begin(stage, "a");
  const fetched = await fetchPlanned(stage, "a", {});
  stage.trap.loseAnswerOf(/^batch \["a"\] Create orch_queue/, async () => {});
  await stage.provider.enqueueForOrchestrator(raised("a", "e"));
  const fetching = fetchOrchestration(stage, { pollTimeoutMs: 60_000 });
  await stage.trap.idle();
  await commit(stage, fetched);
  // The clock stands still: no poll has found it.
  expect((await fetching)?.item.messages).toMatchObject([{ kind: "ExternalRaised" }]);
});
