/**
 * The conformance suite against the endpoint of this package, with one physical partition and with three; or, where
 * `COSMOSDB_ENDPOINT` (and `COSMOSDB_KEY`) are set, against that endpoint. The checks about time to live and about
 * time limits wait for real seconds, because the suite sees nothing but HTTP; they wait side by side.
 */
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sample } from "../../../../test/support/effort.ts";
import { runCheck } from "../../conformance/runner.ts";
import { CHECKS } from "../../conformance/suite.ts";
import { EMULATOR_KEY, Target } from "../../conformance/target.ts";

/** Limit that only a check that hangs meets. */
const TIMEOUT_MS = 600_000;
const given = process.env["COSMOSDB_ENDPOINT"];
const PARTITIONS = given === undefined ? [1, 3] : [undefined];

describe.each(PARTITIONS)("an endpoint with %s physical partitions", (physicalPartitions) => {
  let emulator: CosmosEmulator | undefined;
  let target: Target;

  beforeAll(async () => {
    if (physicalPartitions !== undefined)
      emulator = await CosmosEmulator.start({ port: 0, physicalPartitions });
    const endpoint = emulator?.endpoint ?? given ?? "";
    target = await Target.open(endpoint, process.env["COSMOSDB_KEY"] ?? EMULATOR_KEY);
  }, TIMEOUT_MS);

  afterAll(async () => {
    await target.close();
    await emulator?.stop();
  });

  // A part by the seed: the subjects are the same.
  for (const check of physicalPartitions === 3 ? sample(CHECKS) : CHECKS) {
    it.concurrent(
      `${check.group}: ${check.name}`,
      async ({ skip }) => {
        const { failure, notApplicable } = await runCheck(check, target, TIMEOUT_MS);
        if (notApplicable !== undefined) skip(notApplicable);
        expect(failure).toBeUndefined();
      },
      TIMEOUT_MS,
    );
  }
});
