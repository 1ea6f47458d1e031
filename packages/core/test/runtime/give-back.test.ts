/** Giving work back is best effort towards the store; a defect is not hidden by it. */
import { expect, test } from "vitest";
import { RecordingLogger } from "../../../../test/support/recording-logger.ts";
import { ProviderError } from "../../src/contract/provider-error.ts";
import { giveBack } from "../../src/runtime/locks/give-back.ts";

const FIELDS = { event: "batch_not_given_back", instance_id: "i" };

test("what the store does not take back is logged, and its lock expires", async () => {
  const logger = new RecordingLogger();
  const error = ProviderError.lockLost("abandonOrchestrationItem");
  await giveBack(Promise.reject(error), logger, FIELDS, "failed");
  expect(logger.of("batch_not_given_back")).toMatchObject([{ fields: { instance_id: "i", error } }]);
});

test("an error that is not the store's rejects", async () => {
  const logger = new RecordingLogger();
  const defect = new TypeError("a defect");
  await expect(giveBack(Promise.reject(defect), logger, FIELDS, "failed")).rejects.toBe(defect);
  expect(logger.of("batch_not_given_back")).toEqual([]);
});
