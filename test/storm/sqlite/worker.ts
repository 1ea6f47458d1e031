/** A process that serves orchestrations until it is killed, and notes each run of an activity. */
import { setTimeout as sleep } from "node:timers/promises";
import { activity, Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { orchestrations } from "../programs.ts";
import { reportResources } from "../resources.ts";
import { openSideLog } from "../side-log.ts";
import { noted } from "./noted-provider.ts";

const [path = "", logs = "", lease = "", name = ""] = process.argv.slice(2);

reportResources();

/** Leases are short, because many processes are killed. */
const LEASE_MS = Number(lease);

/** Long enough to be hit. */
const LONGEST_RUN_MS = 30;

const log = openSideLog(logs, name);

/** Stands for the activity of the same name in programs.ts. */
const add = activity("add", async (ctx, [a, b]: readonly [number, number]) => {
  const run = { instance: ctx.instanceId, key: ctx.idempotencyKey };
  log.note({ kind: "begin", ...run });
  await sleep(Math.random() * LONGEST_RUN_MS);
  log.note({ kind: "end", ...run });
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
