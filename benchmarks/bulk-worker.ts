/** A runtime that runs the orchestration of `bulk-cancel.ts` until it is killed: `bulk-worker.ts FILE`. */
import { Runtime, silentLogger } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { waits } from "./bulk-orchestration.ts";

const provider = await SqliteProvider.open(process.argv[2] ?? "");
await Runtime.start({ provider, orchestrations: [waits], logger: silentLogger });
