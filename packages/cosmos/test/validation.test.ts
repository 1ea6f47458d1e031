/**
 * Every behaviour of the contract, on the local endpoint or on the account that the environment names. The endpoint is
 * behind HTTP where the tests run whole; in each run a part of the behaviours is (validation-partitions.test.ts).
 */

import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { validateProvider } from "@duroxide-ts/provider-tests/vitest";
import { afterAll } from "vitest";
import { IS_DEEP } from "../../../test/support/effort.ts";
import { casesOfStore } from "../../../test/support/kit-cases.ts";
import { openInProcess } from "../../../test/support/stores/in-process.ts";
import { cosmosFactory } from "./support/factory.ts";
import { inProcess, onAccount, onEndpoint } from "./support/kit-place.ts";

const emulator = IS_DEEP ? await CosmosEmulator.start({ port: 0 }) : undefined;
const onMachine = () => (emulator === undefined ? inProcess(openInProcess()) : onEndpoint(() => emulator));
const place = onAccount() ?? onMachine();
afterAll(async () => {
  await place[Symbol.asyncDispose]();
  await emulator?.[Symbol.asyncDispose]();
});

// commit.K3, commit.K4: the kit commits an event under the id of a stored one, and cancels activities that are gone.
validateProvider(cosmosFactory("cosmos", place), casesOfStore());
