/**
 * Cancellations of an instance that cleans up (docs/decisions/sagas.md): the request, its turn, the end,
 * a second request.
 */
import { Client, silentLogger } from "@duroxide-ts/core";
import { mustFetch } from "@duroxide-ts/provider-tests/building-blocks";
import { cancelled, type Plan } from "../../support/plan.ts";
import type { Stage } from "../../support/stage.ts";
import { begin, carryOut, commit, finishWork, mustWork } from "../../support/steps.ts";
import { type Operation, operation } from "../operation.ts";

const CLEAN_UP: Plan = { activities: [{ label: "undo", afterwards: { endCancelled: true } }], keys: 1 };
const REASON = "sold out";
const OPEN: Plan = { activities: [{ label: "x" }] };

/** "a", which has an open child when it is cancelled, and what else is given. */
async function growRegistered(stage: Stage, plan: Plan = {}): Promise<void> {
  await begin(stage, "a", "b");
  await carryOut(stage, "a", {
    ...plan,
    children: [{ id: "c", plan: {} }],
    onCancel: CLEAN_UP,
  });
  await commit(stage, await mustFetch(stage));
}

async function beginCleanUp(stage: Stage): Promise<void> {
  await growRegistered(stage, OPEN);
  await stage.provider.enqueueForOrchestrator(cancelled("a", REASON));
  await commit(stage, await mustFetch(stage));
}

/** The turn of "a" that is there now; those of the child are committed. */
async function fetchOfA(stage: Stage): ReturnType<typeof mustFetch> {
  for (;;) {
    const fetched = await mustFetch(stage);
    if (fetched.item.instanceId === "a") return fetched;
    await commit(stage, fetched);
  }
}

const request = ({ provider, clock }: Stage): Promise<void> =>
  new Client(provider, { clock, logger: silentLogger }).handle("Planned", "a").cancel(REASON);

export const cancellations: readonly Operation[] = [
  operation({
    name: "request to cancel an instance that cleans up",
    prepare: (stage) => growRegistered(stage),
    act: request,
    // The same reason is the same request.
    repeat: request,
  }),
  operation({
    name: "commit of a cancellation that begins a clean-up",
    async prepare(stage) {
      await growRegistered(stage, OPEN);
      await stage.provider.enqueueForOrchestrator(cancelled("a", REASON));
      return fetchOfA(stage);
    },
    act: commit,
  }),
  operation({
    name: "commit of the end of a clean-up",
    async prepare(stage) {
      await beginCleanUp(stage);
      await finishWork(stage, await mustWork(stage));
      return fetchOfA(stage);
    },
    act: commit,
  }),
  operation({
    name: "commit of a second cancellation, which ends a clean-up",
    async prepare(stage) {
      await beginCleanUp(stage);
      await stage.provider.enqueueForOrchestrator(cancelled("a", "at once"));
      return fetchOfA(stage);
    },
    act: commit,
  }),
];
