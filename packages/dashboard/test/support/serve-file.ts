/**
 * A dashboard on a SQLite file, as a process of its own: `serve-file.ts FILE TOKEN [MOST]`. It prints its address. The
 * store takes at most MOST messages and does not answer the next ones, so that the process is killed before it is done.
 */
import { silentLogger } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { startDashboard } from "../../src/index.ts";

const [, , file = "", token = "", most = "Infinity"] = process.argv;
const provider = await SqliteProvider.open(file);
const enqueue = provider.enqueueForOrchestrator.bind(provider);
let taken = 0;
provider.enqueueForOrchestrator = (...args) =>
  taken++ < Number(most) ? enqueue(...args) : new Promise(() => {});
const { address } = await startDashboard({ provider, port: 0, token, logger: silentLogger });
process.stdout.write(`${address}\n`);
