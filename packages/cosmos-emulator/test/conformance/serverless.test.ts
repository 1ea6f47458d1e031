/** The conformance suite on an account without throughput, which refuses each request that asks for some. */
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { expect, it } from "vitest";
import { runChecks } from "../../conformance/runner.ts";
import { CHECKS } from "../../conformance/suite.ts";
import { EMULATOR_KEY, Target } from "../../conformance/target.ts";

it("a serverless account is measured without the checks of throughput", async () => {
  await using emulator = await CosmosEmulator.start({ port: 0 });
  emulator.faults.add({
    match: { operation: "database.create" },
    next: 1,
    effect: { kind: "error", status: 400 },
  });
  const target = await Target.open(emulator.endpoint, EMULATOR_KEY);
  const checks = CHECKS.filter(({ group }) => ["offers", "throttling", "batch"].includes(group));
  const outcomes = await runChecks(target, checks, { isolate: false, concurrency: 4, timeoutMs: 600_000 });
  await target.close();
  const applied = new Set(
    outcomes.filter((each) => each.notApplicable === undefined).map(({ group }) => group),
  );
  expect([...applied]).toEqual(["batch"]);
  expect(outcomes.filter(({ failure }) => failure !== undefined)).toEqual([]);
});
