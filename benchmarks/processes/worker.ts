/** A process with a runtime on the file that is its argument, until its standard input ends. */
import { Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { activities, orchestrations } from "../workloads.ts";

const [path = ""] = process.argv.slice(2);
await using provider = await SqliteProvider.open(path);
await using _runtime = await Runtime.start({ provider, activities, orchestrations });
console.log("ready");
await new Promise((resolve) => process.stdin.once("end", resolve).resume());
