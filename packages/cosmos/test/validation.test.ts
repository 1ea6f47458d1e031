/** Every behaviour of the contract, on the local endpoint or on the account that the environment names. */

import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { validateProvider } from "@duroxide-ts/provider-tests/vitest";
import { afterAll, beforeAll } from "vitest";
import { casesOfStore } from "../../../test/support/kit-cases.ts";
import { cosmosFactory } from "./support/factory.ts";
import { onAccount, onEndpoint } from "./support/kit-place.ts";

let emulator: CosmosEmulator;
const place = onAccount() ?? onEndpoint(() => emulator);
beforeAll(async () => {
  emulator = await CosmosEmulator.start({ port: 0, explorer: false });
});
afterAll(async () => {
  await place[Symbol.asyncDispose]();
  await emulator[Symbol.asyncDispose]();
});

validateProvider(cosmosFactory("cosmos", place), casesOfStore());
