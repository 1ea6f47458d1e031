/** On the local endpoint over HTTP, or on the account that the environment names. */
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { describe, it } from "vitest";
import { IS_DEEP } from "../../../../test/support/effort.ts";
import { CAN_RUN_SOURCES } from "../../../../test/support/limited-fleet.ts";
import { expectKeptLimits } from "../../../../test/support/limited-processes.ts";
import { removeContainer } from "../../../../test/support/stores/remove-container.ts";

const LOAD = IS_DEEP
  ? { processes: 4, keys: 20, each: 60, ofAll: 30, callMs: 300, lockMs: 4_000, slots: 30, everyMs: 6_000 }
  : { processes: 3, keys: 6, each: 10, ofAll: 12, callMs: 100, lockMs: 2_000, slots: 12, everyMs: 600 };

interface Account extends AsyncDisposable {
  readonly endpoint: string;
  readonly key: string;
}

async function openAccount(): Promise<Account> {
  const { COSMOSDB_ENDPOINT: endpoint = "", COSMOSDB_KEY: key = "" } = process.env;
  return endpoint === ""
    ? CosmosEmulator.start({ port: 0 })
    : { endpoint, key, async [Symbol.asyncDispose]() {} };
}

describe.skipIf(!CAN_RUN_SOURCES)("limits of several processes", () => {
  it("are never exceeded while processes are killed and stand still, and nothing is lost", {
    timeout: 1_200_000,
  }, async () => {
    await using account = await openAccount();
    const { endpoint, key } = account;
    const database = process.env["COSMOSDB_DATABASE"] || "duroxide";
    const place = { endpoint, key, database, container: `limits-${crypto.randomUUID()}` };
    await using removed = new AsyncDisposableStack();
    removed.defer(() => removeContainer(place));
    await using provider = await CosmosProvider.connect(place);
    const store = {
      name: `cosmos:${place.database}/${place.container}` as const,
      env: { COSMOSDB_ENDPOINT: endpoint, COSMOSDB_KEY: key },
    };
    await expectKeptLimits(provider, store, { ...LOAD, ofKey: 3, mostTroubles: 6 });
  });
});
