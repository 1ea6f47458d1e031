/**
 * Kills a worker in the middle of its orders, starts another one on the same store, and shows that every order
 * finishes and that nothing whose result was recorded runs again.
 *
 * `npm run demo`; `npm run demo -- --keep` leaves the database to look at; `npm run demo -- --provider cosmos` stores
 * the orders in Cosmos DB: on a local endpoint, or on the account that the environment names (docs/cosmos/set-up.md).
 */
import { setTimeout as sleep } from "node:timers/promises";
import { startDashboard } from "@duroxide-ts/dashboard";
import { CommandLine } from "../../scripts/command-line.ts";
import { Operator } from "./operator.ts";
import { type OrderProgress, recorded } from "./progress.ts";
import {
  AFTER,
  afterTheKill,
  BEFORE,
  FAILED,
  progressRow,
  type ResultsAtKill,
  resultsByOrder,
  summaryLine,
  verdict,
} from "./report.ts";
import { LiveRows, paint, say, showCursor } from "./screen.ts";
import { Stage } from "./stage.ts";
import type { WorkerProcess } from "./worker-process.ts";

/**
 * An order takes about eight activities. The first worker reaches this number and cannot finish all orders, because
 * Marta's orders wait until the second worker has started: the kill is in the middle however slow the machine is.
 */
const RESULTS_PER_ORDER_AT_KILL = 4;
const LOOK_EVERY_MS = 80;
/** Time to read what happened, where somebody watches. */
const PAUSE_MS = process.stdout.isTTY ? 1_500 : 0;

interface Choices {
  readonly keep: boolean;
  readonly dashboard: boolean;
}

async function main(store: StoreName, { keep, dashboard }: Choices): Promise<boolean> {
  introduce(store);
  const stage = await Stage.open(store);
  if (keep) stage.keepFiles();
  try {
    const atKill = await killInTheMiddle(stage);
    const { atEnd, secondPid } = await finish(stage, atKill);
    const { proven, lines } = verdict({ atKill, atEnd, secondPid, ledger: stage.ledger() });
    heading(4, "What became of the orders:");
    for (const line of lines) say(line);
    if (!proven) stage.keepFiles();
    sayWhereToLook(stage);
    if (dashboard) await showDashboard(stage);
    return proven;
  } finally {
    await stage.close();
  }
}

const ENDS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const STORE_NAMES = ["sqlite", "cosmos"] as const;
type StoreName = (typeof STORE_NAMES)[number];

const STORED_IN: Readonly<Record<StoreName, string>> = {
  sqlite: "one database file",
  cosmos: "one Cosmos DB container",
};

function introduce(store: StoreName): void {
  say(paint("bold", `\nDurable orders: ${STORED_IN[store]}, and a crash in the middle\n`));
  say("   Each order reserves stock, charges a card and ships its parcels; large ones");
  say("   wait for an approval. What goes wrong is undone. Each step is an activity");
  say("   whose result is recorded before the next step begins.");
}

/** Kills the worker in the middle of its work, and returns what is stored then. */
async function killInTheMiddle(stage: Stage): Promise<readonly OrderProgress[]> {
  const worker = stage.startWorker();
  heading(
    1,
    `A worker (process ${worker.pid}) fulfils ${stage.orders.length} orders.  ${BEFORE} result  ${FAILED} failed attempt`,
  );
  await watch(stage, worker, { enough: isMiddle });
  worker.kill();
  await worker.ended;
  const atKill = await stage.progress();
  heading(2, `SIGKILL. Process ${worker.pid} is gone; it could not save or tidy up anything.`);
  for (const line of afterTheKill(atKill, stage.ledger())) say(line);
  await sleep(PAUSE_MS);
  return atKill;
}

async function finish(
  stage: Stage,
  atKill: readonly OrderProgress[],
): Promise<{ readonly atEnd: readonly OrderProgress[]; readonly secondPid: number }> {
  const worker = stage.startWorker();
  heading(3, `Another worker (process ${worker.pid}) goes on with the same store.  ${AFTER} new result`);
  say("   What was interrupted is handed out again at once: its process is gone.");
  say("   Marta approves the orders that wait for her; Jonas is on leave.\n");
  const operator = new Operator(stage.client);
  await watch(stage, worker, {
    atKill: resultsByOrder(atKill),
    onLook: (progress) => operator.approve(progress),
  });
  await worker.ended;
  return { atEnd: await stage.progress(), secondPid: worker.pid };
}

/** Much is done, and much is left. */
function isMiddle(progress: readonly OrderProgress[]): boolean {
  return recorded(progress).length >= progress.length * RESULTS_PER_ORDER_AT_KILL;
}

interface Watching {
  /** Ends the watching before the worker is done. */
  readonly enough?: (progress: readonly OrderProgress[]) => boolean;
  /** Called with the progress after each read. */
  readonly onLook?: (progress: readonly OrderProgress[]) => Promise<void>;
  readonly atKill?: ResultsAtKill;
}

/** Shows how the orders get on, until `enough` says so or the worker is done. */
async function watch(
  stage: Stage,
  worker: WorkerProcess,
  { enough = () => false, onLook = async () => {}, atKill }: Watching,
): Promise<void> {
  const startedAtMs = performance.now();
  const live = new LiveRows();
  for (;;) {
    const isDone = worker.isDone;
    const progress = await stage.progress();
    const isLast = isDone || enough(progress);
    const rows = progress.map((one) => progressRow(one, atKill));
    const summary = summaryLine(progress, performance.now() - startedAtMs);
    if (isLast) return live.end(rows, summary);
    live.draw(rows, summary);
    await onLook(progress);
    await sleep(LOOK_EVERY_MS);
  }
}

function heading(step: number, text: string): void {
  say(`\n${paint("bold", `${step}. ${text}`)}\n`);
}

function sayWhereToLook({ place, endsWithDemo, keepsFiles }: Stage): void {
  const { databaseFile } = place;
  say();
  if (place.container !== undefined) {
    const fate = endsWithDemo
      ? "ended with the local endpoint"
      : "is still there; remove it when you have seen enough";
    say(`   Container ${place.container} ${fate}.`);
    return;
  }
  if (!keepsFiles) {
    say("   The database was temporary. Look into it: npm run demo -- --dashboard");
    return;
  }
  say(`   The database is ${databaseFile}`);
  say("   (beside it, ledger.jsonl: what the activities did). The history of an order:");
  say(`   ${process.execPath} --conditions=@duroxide-ts/source \\`);
  say(`     examples/order-fulfilment/history.ts ${databaseFile} order-1003`);
}

/** Serves the dashboard of the orders until the first signal to end. */
async function showDashboard({ client }: Stage): Promise<void> {
  await using running = await startDashboard({ client, title: "orders", port: 0 });
  say(`\n   The dashboard of these orders, until Ctrl-C: ${running.signInUrl()}`);
  await new Promise<void>((resolve) => {
    for (const signal of ENDS) {
      process.removeAllListeners(signal);
      process.once(signal, () => resolve());
    }
  });
}

const HELP = ` [-- flags]

Twelve orders, a worker that is killed in the middle of them, and another one that finishes them.

  --dashboard      at the end, serve the dashboard of the orders until Ctrl-C
  --keep           leave the database to look at, and say how
  --provider NAME  where the orders are stored: sqlite (default) or cosmos, which is a local endpoint, or the account
                   that COSMOSDB_ENDPOINT and COSMOSDB_KEY name
`;

const line = CommandLine.read({
  call: "npm run demo",
  help: HELP,
  flags: {
    dashboard: { type: "boolean" },
    keep: { type: "boolean" },
    provider: { type: "string", default: "sqlite" },
  },
});
const provider = line.choice("provider", STORE_NAMES);
process.once("exit", showCursor);
for (const signal of ENDS) process.once(signal, () => process.exit(1));
process.exitCode = (await main(provider, line.values)) ? 0 : 1;
