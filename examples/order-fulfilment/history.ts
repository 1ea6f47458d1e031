/** Prints what is stored of an order and of its shipments: `history.ts <database file> <instance id>`. */
import { existsSync } from "node:fs";
import { Client, type HistoryEvent } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";

async function main(databaseFile: string, instanceId: string): Promise<void> {
  const provider = await SqliteProvider.open(databaseFile);
  const { admin } = new Client(provider);
  const { allIds } = await admin.tree(instanceId);
  for (const id of allIds.toReversed()) {
    console.log(`\n${id}`);
    for (const event of await admin.history(id)) console.log(describe(event));
  }
  await provider[Symbol.asyncDispose]();
}

function describe(event: HistoryEvent): string {
  const time = new Date(Number(event.timestamp_ms)).toISOString().slice(11, 23);
  const subject = event.source_event_id === null ? "" : ` of ${event.source_event_id}`;
  const name = "name" in event ? `: ${event.name}` : "";
  return `  ${String(event.event_id).padStart(3)}  ${time}  ${event.type}${subject}${name}`;
}

const [databaseFile, instanceId] = process.argv.slice(2);
if (databaseFile === undefined || instanceId === undefined || !existsSync(databaseFile)) {
  throw new Error("Give a database file that exists and an instance id: history.ts orders.db order-1001");
}
await main(databaseFile, instanceId);
