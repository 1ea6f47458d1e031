/** Behaviours of the contract, on a container that is spread over several physical partitions. */

import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { validateProvider } from "@duroxide-ts/provider-tests/vitest";
import { afterAll, beforeAll } from "vitest";
import { casesOfSlowVariant } from "../../../test/support/kit-cases.ts";
import { cosmosFactory } from "./support/factory.ts";
import { onEndpoint } from "./support/kit-place.ts";

let emulator: CosmosEmulator;
beforeAll(async () => {
  emulator = await CosmosEmulator.start({ port: 0, physicalPartitions: 3 });
});
afterAll(() => emulator[Symbol.asyncDispose]());

validateProvider(
  cosmosFactory(
    "cosmos, 3 partitions",
    onEndpoint(() => emulator),
  ),
  casesOfSlowVariant(),
);
