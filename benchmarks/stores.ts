/** The stores that the workloads run on, each fresh for one measurement. */
import type { Provider } from "@duroxide-ts/core";
import { withContainer } from "./cosmos/with-container.ts";
import { withDatabase } from "./database.ts";
import type { StoreName } from "./store-names.ts";

export function withStore<T>(name: StoreName, use: (provider: Provider) => Promise<T>): Promise<T> {
  return name === "sqlite" ? withDatabase(use) : withContainer({}, use);
}
