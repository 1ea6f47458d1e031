/**
 * One worker process: `worker.ts <database file> [<container>]`. It starts the orders that are not started yet, works on all
 * that are unfinished and ends when none is left. It may die at any moment; the next one does the rest.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Client, type InstanceHandle, type LogFields, type Logger, Runtime } from "@duroxide-ts/core";
import { ledgerOf, witnessed } from "./ledger.ts";
import { type Outcome, readOrders } from "./orders.ts";
import { openStore, type Place } from "./place.ts";
import { activities, fulfilOrder, orchestrations } from "./workflow.ts";

const MS_BETWEEN_ORDERS = 200;

const print = (fields: LogFields, message: string): void => console.error(message, fields);
const logger: Logger = { debug() {}, info() {}, warn: print, error: print };

async function main(place: Place): Promise<void> {
  const provider = await openStore(place);
  const runtime = await Runtime.start({
    provider,
    orchestrations,
    activities: activities.map((definition) => witnessed(ledgerOf(place.databaseFile), definition)),
    logger,
    // What a worker was doing when it died is handed out again at once on Linux and macOS, and elsewhere after these
    // times: sooner than by default, so that the demo does not wait for it.
    workerLockTimeoutMs: 2_000,
    orchestratorLockTimeoutMs: 2_000,
  });
  const client = new Client(provider);

  const ends: Promise<void>[] = [];
  for (const order of await readOrders()) {
    // Starting an order a second time changes nothing, so a new worker need not know how far the last one came.
    const instance = await client.start(fulfilOrder, { instanceId: order.id, input: order });
    ends.push(follow(order.id, instance));
    await sleep(MS_BETWEEN_ORDERS);
  }
  await Promise.all(ends);

  await runtime.shutdown();
  await provider[Symbol.asyncDispose]();
}

async function follow(orderId: string, instance: InstanceHandle<Outcome>): Promise<void> {
  const outcome = await instance.result();
  console.log(`${orderId}: ${outcome.status}`);
}

const [databaseFile, container] = process.argv.slice(2);
if (databaseFile === undefined) throw new Error("Which database? Give its file: worker.ts orders.db");
await main(container === undefined ? { databaseFile } : { databaseFile, container });
