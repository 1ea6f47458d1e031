/** An operating system's process that runs one seed after the other, as it is told, until its parent goes away. */
import { redirectSqlite } from "../sqlite/redirect.ts";
import { Globals } from "../world/globals.ts";
import type { Job, JobResult } from "./job.ts";

const globals = new Globals();
globals.install();
redirectSqlite();
// What is loaded from here on sees the time of the simulation.
const { settingsOf } = await import("./settings.ts");
const { simulate } = await import("./simulate.ts");

// What ends a process in earnest fails the seed: a rejection that nobody handles, an error that nobody catches.
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
    faults: [...result.faults],
    enabled: [...settings.faults],
    servers: settings.servers,
    programs: settings.programs,
    cpuMs: Math.round((user + system) / 1_000),
    trace: lines,
  };
  process.send?.(answer);
}
