/** The stress scenarios of the kit, small and in virtual time: everything completes, and nothing is lost or doubled. */
import type { Provider } from "@duroxide-ts/core";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import {
  type ProviderCase,
  runCase,
  type StressOptions,
  type StressResult,
  stressLargePayload,
  stressParallelOrchestrations,
} from "@duroxide-ts/provider-tests";
import { expect, test } from "vitest";
import { cosmosFactory } from "./support/factory.ts";
import { onEndpoint } from "./support/kit-place.ts";

// A busy machine may take long for what is no time in virtual time.
const options = { timeout: 300_000 };

const LONGEST_RUN_MS = 3_600_000;

type Stress = (provider: Provider, options: StressOptions) => Promise<StressResult>;

async function run(stress: Stress, load: StressOptions): Promise<StressResult> {
  await using emulator = await CosmosEmulator.start({ port: 0 });
  const outcome = Promise.withResolvers<StressResult>();
  const underLoad: ProviderCase = {
    group: "stress",
    name: "under load",
    needs: [],
    async run({ provider, time, check }) {
      const { value } = await time.measure(
        () => stress(provider, { ...load, clock: time.clock }),
        LONGEST_RUN_MS,
      );
      check.isTrue(value.launched > 0, "something was started");
      outcome.resolve(value);
    },
  };
  await runCase(
    underLoad,
    cosmosFactory(
      "cosmos",
      onEndpoint(() => emulator),
    ),
  );
  return outcome.promise;
}

test("parallel orchestrations complete, and every invariant holds", options, async () => {
  const result = await run(stressParallelOrchestrations, { orchestrations: 12, maxConcurrent: 6 });

  expect(result).toMatchObject({ launched: 12, completed: 12, violations: [], repeatedActivities: 0 });
});

test("orchestrations with large payloads complete, and every invariant holds", options, async () => {
  const result = await run(stressLargePayload, { orchestrations: 2, maxConcurrent: 2 });

  expect(result).toMatchObject({ launched: 2, completed: 2, violations: [], repeatedActivities: 0 });
});
