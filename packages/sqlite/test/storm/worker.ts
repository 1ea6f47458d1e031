/** A process that serves orchestrations until it is killed, and notes each run of an activity. */
import { setTimeout as sleep } from "node:timers/promises";
import { activity, Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { orchestrations } from "../../../../test/storm/programs.ts";
import { reportResources } from "../../../../test/storm/resources.ts";
import { noted } from "./noted-provider.ts";
import { SideLog } from "./side-log.ts";

const [path = "", logs = "", lease = ""] = process.argv.slice(2);

reportResources();

/** Leases are short, because many processes are killed. */
const LEASE_MS = Number(lease);

/** Long enough to be hit. */
const LONGEST_RUN_MS = 30;

const log = new SideLog(logs);

/** Stands for the activity of the same name in programs.ts. */
const add = activity("add", async (ctx, [a, b]: readonly [number, number]) => {
  log.event("began", ctx.idempotencyKey);
  await sleep(Math.random() * LONGEST_RUN_MS);
  return a + b;
});

const provider = noted(await SqliteProvider.open(path), log);
await Runtime.start({
  provider,
  orchestrations,
  activities: [add],
  orchestratorLockTimeoutMs: LEASE_MS,
  workerLockTimeoutMs: LEASE_MS,
  orchestrationConcurrency: 20,
  workerConcurrency: 20,
  // Killed processes must not make their work poison.
  maxAttempts: 1_000,
});

// The worker ends with its parent.
process.once("disconnect", () => process.exit());
