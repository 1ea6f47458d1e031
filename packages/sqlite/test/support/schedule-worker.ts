/** A process that fires schedules of a file, until it is killed: its argument. */
import { orchestration, Runtime, schedule, silentLogger } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";

const [, , file = ""] = process.argv;
const hello = orchestration("hello", async (ctx) => ctx.scheduled?.dueMs);
const rules = { every: { seconds: 1 }, overlap: "allow", catchUp: "all", orchestration: hello } as const;
await Runtime.start({
  provider: await SqliteProvider.open(file),
  orchestrations: [hello],
  schedules: Array.from({ length: 5 }, (_, n) => schedule(`s${n}`, rules)),
  orchestratorLockTimeoutMs: 1_000,
  logger: silentLogger,
});
