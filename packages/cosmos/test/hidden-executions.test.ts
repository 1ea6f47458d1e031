/** Executions and events that a replica that lags behind does not show (leases/query-with-instance.ts). */
import { beforeEach, expect, it } from "vitest";
import { letTimePass } from "./connection/fixture.ts";
import type { Stage } from "./support/stage.ts";
import { begin, carryOut, settle } from "./support/steps.ts";
import type { ShownDocument } from "./support/trap.ts";
import { useStage } from "./support/use-stage.ts";

let stage: Stage;
useStage("hidden-executions", (its) => {
  stage = its;
});

/** Two executions. */
beforeEach(async () => {
  await begin(stage, "a");
  await carryOut(stage, "a", { keys: 1 });
  await carryOut(stage, "a", { continueAsNew: true });
  await settle(stage);
});

/** Returns the documents as they were after the first turn of the first execution. */
const ofTheFirstTurn = (documents: readonly ShownDocument[]): readonly ShownDocument[] =>
  documents
    .filter(({ id }) => id === "a:instance" || id === "a:history:1:1")
    .map((each) => (each.id === "a:instance" ? { ...each, currentExecutionId: 1, _etag: "older" } : each));

it("all executions are listed", async () => {
  stage.trap.lagBehind(/^query \["a"\] execution/, (documents) =>
    ofTheFirstTurn(documents).filter(({ id }) => id === "a:instance"),
  );
  expect(await letTimePass(stage.clock, stage.provider.admin.listExecutions("a"))).toEqual([1, 2]);
});

it("the history of an earlier execution is read whole", async () => {
  const history = await stage.provider.readHistory("a", 1);
  expect(history.length).toBeGreaterThan(2);
  stage.trap.lagBehind(/^query \["a"\] history/, ofTheFirstTurn);
  expect(await letTimePass(stage.clock, stage.provider.readHistory("a", 1))).toEqual(history);
});

it("the history of the current execution is read whole", async () => {
  const history = await stage.provider.readHistory("a");
  stage.trap.lagBehind(/^query \["a"\] history/, ofTheFirstTurn);
  expect(await letTimePass(stage.clock, stage.provider.readHistory("a"))).toEqual(history);
});

it("an instance that was deleted meanwhile has none", async () => {
  const reading = await stage.openAnother();
  reading.trap.meanwhile(/^GET docs \["a"\]/, () =>
    stage.provider.admin.deleteInstance("a", { force: true }),
  );
  expect(await letTimePass(stage.clock, reading.provider.readHistory("a"))).toEqual([]);
});

it("a later instance with the id is read, although the clock of its process is behind", async () => {
  const reading = await stage.openAnother();
  reading.trap.meanwhile(/^GET docs \["a"\]/, async () => {
    await stage.provider.admin.deleteInstance("a", { force: true });
    await begin(stage, "a");
    const item = stage.raw.item("a:instance", "a");
    await item.patch([{ op: "set", path: "/createdAt", value: 1 }]);
  });
  expect(await letTimePass(stage.clock, reading.provider.readHistory("a", 1))).toMatchObject([
    { type: "OrchestrationStarted" },
  ]);
});
