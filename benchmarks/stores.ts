/** The stores that the workloads run on, each fresh for one measurement. */
import type { Provider } from "@duroxide-ts/core";
import { withContainer } from "./cosmos/with-container.ts";
import { withDatabase } from "./database.ts";

export const STORE_NAMES = ["sqlite", "cosmos"] as const;

export type StoreName = (typeof STORE_NAMES)[number];

export function withStore<T>(name: StoreName, use: (provider: Provider) => Promise<T>): Promise<T> {
  return name === "sqlite" ? withDatabase(use) : withContainer({}, use);
}
