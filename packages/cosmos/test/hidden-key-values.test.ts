/** The end of an execution whose key-values a replica that lags behind does not show. */
import { expect, it } from "vitest";
import { letTimePass } from "./connection/fixture.ts";
import { allDocuments } from "./invariants/documents.ts";
import type { Stage } from "./support/stage.ts";
import { begin, carryOut } from "./support/steps.ts";
import { useStage } from "./support/use-stage.ts";

let stage: Stage;
useStage("hidden-key-values", (its) => {
  stage = its;
});

it("they are merged although the first read does not find them", async () => {
  await begin(stage, "a");
  await carryOut(stage, "a", { keys: 2 });
  let wasHidden = false;
  stage.trap.lagBehind(/^query \["a"\] kv, kv_delta/, () => {
    wasHidden = true;
    return [];
  });
  await letTimePass(stage.clock, carryOut(stage, "a", { end: true }));
  expect(wasHidden).toBe(true);
  const stored = Map.groupBy(await allDocuments(stage.raw), ({ type }) => type);
  expect(stored.get("kv")).toHaveLength(2);
  expect(stored.get("kv_delta")).toBeUndefined();
});
