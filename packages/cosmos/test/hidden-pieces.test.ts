/** A decided commit whose pieces a replica that lags behind does not show. */
import { expect, it } from "vitest";
import { allDocuments } from "./invariants/documents.ts";
import type { TestEndpoint } from "./support/endpoint.ts";
import { leaveCommit, UNTIL_DECIDED } from "./support/half-done.ts";
import type { Stage } from "./support/stage.ts";
import { useStage } from "./support/use-stage.ts";

let stage: Stage;
let emulator: TestEndpoint;
useStage("hidden", (its, endpoint) => {
  stage = its;
  emulator = endpoint;
});

// finish-commit.F3
it.each([0, 1, 2])("piece %i is applied although the first read does not find it", async (piece) => {
  await leaveCommit(stage, UNTIL_DECIDED);
  const match = { operation: "item.read", container: stage.place.container } as const;
  // The instance and the decision are read first.
  emulator.faults.add({ match, skip: 2 + piece, next: 1, effect: { kind: "error", status: 404 } });
  await (await stage.openAnother()).provider.readHistory("a");
  expect(emulator.faults.list()).toEqual([]);
  const stored = Map.groupBy(await allDocuments(stage.raw), ({ type }) => type);
  expect(stored.get("staged")).toBeUndefined();
  expect(stored.get("commit_intent")).toBeUndefined();
  expect(stored.get("kv_delta")).toHaveLength(110);
  expect(stored.get("worker_queue")).toHaveLength(1);
});
