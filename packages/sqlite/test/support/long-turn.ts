/**
 * A process whose orchestrations compute after their first activity, without a pause, until the file `gate` is
 * there. Prints `computing` when the first of them does, and `done` when all have ended.
 */
import { existsSync, writeSync } from "node:fs";
import { argv, hrtime } from "node:process";
import { activity, Client, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";

const [, , path = "", gate = "", count = "1"] = argv;

/** Limit of a computation, ns, so that the process ends though its parent has died. */
const LONGEST_NS = 120_000_000_000n;

const step = activity("step", async () => {});

const heavy = orchestration("heavy", async (ctx) => {
  await ctx.scheduleActivity(step);
  if (!existsSync(gate)) writeSync(1, "computing\n");
  for (const since = hrtime.bigint(); !existsSync(gate); ) if (hrtime.bigint() - since > LONGEST_NS) break;
});

await using provider = await SqliteProvider.open(path);
await using _runtime = await Runtime.start({
  provider,
  orchestrations: [heavy],
  activities: [step],
  determinismGuard: "off",
  // Other instances of the test have no handler here.
  logger: silentLogger,
});
const client = new Client(provider);
const handles = await Promise.all(
  Array.from({ length: Number(count) }, (_, n) => client.start(heavy, { instanceId: `heavy-${n}` })),
);
await Promise.all(handles.map((handle) => handle.result({ timeout: { minutes: 2 } })));
writeSync(1, "done\n");
