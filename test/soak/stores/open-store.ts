import type { SeededRandom } from "../../support/seeded-random.ts";
import { openCosmosStore } from "./cosmos-store.ts";
import type { SoakStore, StoreName } from "./soak-store.ts";
import { openSqliteStore } from "./sqlite-store.ts";

/** `instances`: how many innocent ones there will be, for what the store may grow to. */
export function openStore(name: StoreName, instances: number, random: SeededRandom): Promise<SoakStore> {
  return name === "sqlite" ? openSqliteStore(instances) : openCosmosStore(random);
}
