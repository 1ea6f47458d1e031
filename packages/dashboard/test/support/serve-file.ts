/** A dashboard on a SQLite file, as a process of its own: `serve-file.ts FILE TOKEN`. It prints its address. */
import { silentLogger } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { startDashboard } from "../../src/index.ts";

const [, , file = "", token = ""] = process.argv;
const provider = await SqliteProvider.open(file);
const { address } = await startDashboard({ provider, port: 0, token, logger: silentLogger });
process.stdout.write(`${address}\n`);
