/** Our endpoint with the same documents: what a query gives there is what it must give on the account. */
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { type Fields, Items, RawClient } from "@duroxide-ts/cosmos-emulator/conformance";
import { openContainer } from "../../src/connection/open-container.ts";
import { toSettings } from "../../src/connection/options.ts";
import { seed } from "./seed.ts";

export interface Reference extends AsyncDisposable {
  readonly items: Items;
}

export async function openReference(documents: readonly Fields[]): Promise<Reference> {
  const emulator = await CosmosEmulator.start({ port: 0 });
  const raw = new RawClient(new URL(emulator.endpoint), emulator.key);
  const settings = toSettings({ connectionString: emulator.connectionString });
  await using _opened = await openContainer(settings);
  const items = new Items(raw, `dbs/${settings.database}/colls/${settings.container}`);
  await seed(items, documents);
  return {
    items,
    async [Symbol.asyncDispose]() {
      raw.close();
      await emulator.stop();
    },
  };
}
