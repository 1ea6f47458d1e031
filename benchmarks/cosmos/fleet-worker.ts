/** A process of the fleet: serves the workloads, and tells what it has requested since it was asked last. */
import { Runtime } from "@duroxide-ts/core";
import { CosmosProvider, type RequestInfo } from "@duroxide-ts/cosmos";
import { activities, orchestrations } from "../workloads.ts";
import { isIdle } from "./idle-requests.ts";

const [connectionString = "", database = "", container = ""] = process.argv.slice(2);

/** What a worker tells. */
export interface Requested {
  readonly requests: number;
  readonly charge: number;
  /** Requests by the operation that made them and their kind. */
  readonly byOperation: Readonly<Record<string, number>>;
}

let log: RequestInfo[] = [];
const provider = await CosmosProvider.connect({
  connectionString,
  database,
  container,
  onRequest: (info) => log.push(info),
});
await Runtime.start({ provider, activities, orchestrations });

process.on("message", () => {
  const counted = log.filter((info) => !isIdle(info));
  log = [];
  const charge = counted.reduce((sum, info) => sum + info.charge, 0);
  const byOperation: Record<string, number> = {};
  for (const { operation, kind } of counted) {
    const name = `${operation} ${kind}`;
    byOperation[name] = (byOperation[name] ?? 0) + 1;
  }
  process.send?.({ requests: counted.length, charge, byOperation } satisfies Requested);
});
// Nobody is left to serve when the parent is gone.
process.once("disconnect", () => process.exit());
process.send?.("ready");
