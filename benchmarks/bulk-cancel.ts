/**
 * A cancellation of 100,000 instances that wait, in a SQLite file, while a runtime in another process runs them: by the
 * command line and by the dashboard. Each is killed after a third, and goes on from there.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile } from "node:fs/promises";
import { loadavg } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { Client, Runtime, silentLogger, sleep, systemClock } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { waits } from "./bulk-orchestration.ts";
import { withFile } from "./database.ts";
import { round } from "./figures.ts";

const INSTANCES = 100_000;
/** Started at the same time. */
const STARTS = 500;
const REASON = "the shop closes";
const TOKEN = "a token for the bench";

const ROOT = path.join(import.meta.dirname, "..");
const CLI = "packages/cli/src/main.ts";
const DASHBOARD = "packages/dashboard/test/support/serve-file.ts";
const WORKER = "benchmarks/bulk-worker.ts";

/** Seconds and cancelled instances of one way of cancelling: up to the kill, and from then on. */
interface Outcome {
  readonly first_s: number;
  readonly first_done: number;
  readonly rest_s: number;
  readonly rest_done: number;
  /** Times at which progress was shown. */
  readonly progress: number;
}

type Way = (file: string) => Promise<Outcome>;

export async function measureBulkCancel(): Promise<readonly object[]> {
  return withFile(async (file) => {
    const filled = await timed(() => fill(file));
    const lines: object[] = [{ workload: "start", instances: INSTANCES, seconds: filled.seconds }];
    for (const [workload, way] of Object.entries({ "command line": byCommand, dashboard: byDashboard })) {
      const copy = `${file}.${workload.replace(" ", "-")}`;
      await copyFile(file, copy);
      lines.push({ workload, ...(await cancelAll(copy, way)), load: round(loadavg()[0] ?? 0) });
    }
    return lines;
  });
}

/** Real orchestrations, each with its first turn behind it. */
async function fill(file: string): Promise<void> {
  await using provider = await SqliteProvider.open(file);
  const client = new Client(provider, { logger: silentLogger });
  await using runtime = await Runtime.start({ provider, orchestrations: [waits], logger: silentLogger });
  for (let n = 0; n < INSTANCES; n += STARTS) {
    await Promise.all(
      Array.from({ length: STARTS }, (_, i) => client.start(waits, { instanceId: `order-${n + i}` })),
    );
  }
  while ((await client.admin.queueDepths()).orchestratorQueue > 0) await sleep(systemClock, 100);
  await runtime.shutdown();
}

async function cancelAll(file: string, way: Way): Promise<object> {
  await using provider = await SqliteProvider.open(file);
  const { admin } = new Client(provider, { logger: silentLogger });
  const worker = program([WORKER, file], file);
  let isServed = true;
  worker.once("exit", () => {
    isServed = false;
  });
  try {
    const { result, seconds } = await timed(async () => {
      const outcome = await way(file);
      while (((await admin.count({ status: ["Running"] })).counts[0]?.count ?? 0) > 0) {
        if (!isServed) throw new Error("the process with the runtime has ended");
        await sleep(systemClock, 500);
      }
      return outcome;
    });
    const {
      counts: [cancelled],
    } = await admin.count({ failureCategory: ["cancelled"] });
    return { instances: cancelled?.count ?? 0, ...result, until_all_ended_s: seconds };
  } finally {
    worker.kill("SIGKILL");
  }
}

async function byCommand(file: string): Promise<Outcome> {
  const words = ["cancel", "--status", "running", "--reason", REASON, "--yes", "-o", "jsonl"];
  const run = async (killAt: number): Promise<{ readonly done: number; readonly notes: number }> => {
    const child = program([CLI, ...words], file);
    let [done, notes] = [0, 0];
    child.stderr?.on("data", () => notes++);
    for await (const _ of linesOf(child)) if (++done === killAt) child.kill("SIGKILL");
    return { done, notes };
  };
  const first = await timed(() => run(Math.floor(INSTANCES / 3)));
  const rest = await timed(() => run(Number.POSITIVE_INFINITY));
  return {
    first_s: first.seconds,
    first_done: first.result.done,
    rest_s: rest.seconds,
    rest_done: rest.result.done,
    progress: first.result.notes + rest.result.notes,
  };
}

interface Progress {
  readonly succeeded: number;
  readonly failed: number;
  readonly after?: string;
}

async function byDashboard(file: string): Promise<Outcome> {
  const request = { verb: "cancel", reason: REASON, filter: { state: "running" } };
  let lines = 0;
  const run = async (after: string | undefined, killAt: number): Promise<Progress | undefined> => {
    const server = program([DASHBOARD, file, TOKEN], file);
    try {
      const address = await firstLine(server);
      let seen: Progress | undefined;
      for await (const progress of progressOf(address, { ...request, after })) {
        lines++;
        seen = progress;
        if (progress.succeeded >= killAt) break;
      }
      return seen;
    } finally {
      server.kill("SIGKILL");
      await once(server, "close");
    }
  };
  const first = await timed(() => run(undefined, Math.floor(INSTANCES / 3)));
  const rest = await timed(() => run(first.result?.after, Number.POSITIVE_INFINITY));
  return {
    first_s: first.seconds,
    first_done: first.result?.succeeded ?? 0,
    rest_s: rest.seconds,
    rest_done: rest.result?.succeeded ?? 0,
    progress: lines,
  };
}

async function* progressOf(address: string, body: object): AsyncGenerator<Progress> {
  const response = await fetch(`${address}api/bulk`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-duroxide-action": "1",
      origin: new URL(address).origin,
      authorization: `Bearer ${TOKEN}`,
    },
    body: JSON.stringify(body),
  });
  let rest = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as Progress;
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of linesOf(child)) return line;
  throw new Error("the server has not said its address");
}

function linesOf({ stdout: input }: ChildProcess): AsyncIterable<string> {
  if (input === null) throw new Error("the program has no stdout");
  return createInterface({ input });
}

function program(words: readonly string[], file: string): ChildProcess {
  const flags = ["--conditions=@duroxide-ts/source", "--disable-warning=ExperimentalWarning"];
  return spawn(process.execPath, [...flags, ...words], {
    cwd: ROOT,
    env: { ...process.env, DUROXIDE_STORE: `sqlite:${file}`, XDG_STATE_HOME: path.dirname(file) },
    stdio: ["ignore", "pipe", words[0] === CLI ? "pipe" : "inherit"],
  });
}

async function timed<T>(run: () => Promise<T>): Promise<{ readonly result: T; readonly seconds: number }> {
  const beganMs = performance.now();
  const result = await run();
  return { result, seconds: round((performance.now() - beganMs) / 1_000) };
}
