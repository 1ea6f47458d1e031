/** The stores that the workloads run on, each fresh for one measurement. */
import type { Provider } from "@duroxide-ts/core";
import type { Durability } from "@duroxide-ts/sqlite";
import { withContainer } from "./cosmos/with-container.ts";
import { withDatabase } from "./database.ts";
import type { StoreName } from "./store-names.ts";

export function withStore<T>(
  name: StoreName,
  durability: Durability,
  use: (provider: Provider) => Promise<T>,
): Promise<T> {
  return name === "sqlite" ? withDatabase(use, durability) : withContainer({}, use);
}
