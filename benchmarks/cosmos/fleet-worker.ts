/** A process of the fleet: serves the workloads, and tells what it has requested since it was asked last. */
import { Runtime } from "@duroxide-ts/core";
import { CosmosProvider, type RequestInfo } from "@duroxide-ts/cosmos";
import { activities, orchestrations } from "../workloads.ts";
import { tallyOf } from "./tally.ts";

const [connectionString = "", database = "", container = "", shares = ""] = process.argv.slice(2);

let log: RequestInfo[] = [];
const provider = await CosmosProvider.connect({
  connectionString,
  database,
  container,
  membership: shares === "shares" ? {} : false,
  onRequest: (info) => log.push(info),
});
await Runtime.start({ provider, activities, orchestrations });

process.on("message", () => {
  process.send?.(tallyOf(log));
  log = [];
});
// The worker ends with its parent.
process.once("disconnect", () => process.exit());
process.send?.("ready");
