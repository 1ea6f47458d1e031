/** An operating system's process that runs one seed after the other for its parent, and ends with it. */
import { subscribe } from "node:diagnostics_channel";
import { redirectSqlite } from "../sqlite/redirect.ts";
import { Globals } from "../world/globals.ts";
import { ALIVE, type Job, type JobResult } from "./job.ts";

leaveOutObservers();
// A step may be slow where others use the processors, but it does not take minutes.
const globals = new Globals(() => process.send?.(ALIVE));
globals.install();
redirectSqlite();
// What is loaded from here on sees the time of the simulation.
const { settingsOf } = await import("../settings.ts");
const { simulate } = await import("./simulate.ts");
// The client loads the verbs at their first use, and a runtime OpenTelemetry, which would take real time.
const { silentLogger, systemClock } = await import("@duroxide-ts/core");
const { Tracing } = await import("../../packages/core/src/observe/tracing.ts");
await import("../../packages/core/src/client/verbs/changes.ts");
await import("../../packages/core/src/client/streams/read-stream.ts");
await import("../../packages/sqlite/src/streams/read-page.ts");
await Tracing.load({ startSpan: () => ({}) as never }, { clock: systemClock, logger: silentLogger });

// Also one that its operation hides, which is repeated then.
subscribe("duroxide:invariant", (error) => globals.world?.fail(error));
// An unhandled rejection or an uncaught error, which would end a process, fails the seed.
process.on("uncaughtException", (error) => globals.world?.fail(error));
process.on("message", (job: Job) => void run(job));
process.once("disconnect", () => process.exit());
process.send?.("ready");

async function run({ seed, store, limits, withTrace }: Job): Promise<void> {
  const lines: string[] = [];
  const before = process.cpuUsage();
  const settings = settingsOf(seed, store, limits);
  const result = await simulate(
    globals,
    settings,
    withTrace === true ? { onLine: (line) => lines.push(line) } : {},
  );
  const { user, system } = process.cpuUsage(before);
  const answer: JobResult = {
    ...result,
    calls: [...result.calls],
    enabled: [...settings.faults],
    servers: settings.servers,
    cpuMs: Math.round((user + system) / 1_000),
    trace: lines,
  };
  process.send?.(answer);
}

/** A failing logger is told on stderr (docs/decisions/observers.md), where nobody reads what a seed does on purpose. */
function leaveOutObservers(): void {
  const write = process.stderr.write.bind(process.stderr);
  const isOfObserver = (text: unknown): boolean => String(text).includes("observer_failed");
  process.stderr.write = (text: string | Uint8Array): boolean => isOfObserver(text) || write(text);
}
