/**
 * A process dies at each write and each sync of a commit in turn. Another one opens the file and reads it, and then the
 * power fails. Prints the deaths as JSON. It is a process of its own, because the imports of the SQLite provider are
 * replaced before it is loaded.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { Client, type Provider } from "@duroxide-ts/core";
import type { Durability } from "@duroxide-ts/sqlite";
import { Disk } from "../sqlite/disk.ts";
import { loadSqlite } from "../sqlite/engine.ts";
import type { FileSystem } from "../sqlite/file-system.ts";
import { redirectSqlite } from "../sqlite/redirect.ts";
import { Chance } from "../world/chance.ts";
import type { Machine } from "../world/machine.ts";
import { Rounds } from "../world/rounds.ts";
import { Trace } from "../world/trace.ts";
import { World } from "../world/world.ts";

export interface Death {
  readonly durability: Durability;
  /** Place of the death, such as `sync log`. */
  readonly at: string;
  /** How many starts the next process read in the queue: the one under way is the second. */
  readonly seen: number;
  /** The same after the power failure. */
  readonly left: number;
}

const SEEDS = 5;

redirectSqlite();
const { SqliteProvider } = await import("@duroxide-ts/sqlite");
const running = new AsyncLocalStorage<Machine | undefined>();
const files = await loadSqlite(() => running.getStore(), Date.now);
const deaths: Death[] = [];
for (let seed = 0; seed < SEEDS; seed++) {
  for (const durability of ["power", "process"] as const) {
    const dieAt = (writes: number): Promise<Death | undefined> => die(seed, writes, durability);
    for (let writes = 0, death = await dieAt(0); death !== undefined; death = await dieAt(++writes)) {
      deaths.push(death);
    }
  }
}
process.stdout.write(JSON.stringify(deaths));

/** `undefined` where the start has less writes. */
async function die(seed: number, writes: number, durability: Durability): Promise<Death | undefined> {
  const world = new World({ seed, trace: new Trace(), rounds: new Rounds(), running, onBeat: () => {} });
  const disk = new Disk(new Chance(seed), { losesPower: true });
  files.mount(disk, () => {});
  let at: string | undefined;
  await inProcess(world, files, durability, async (provider, machine) => {
    const client = new Client(provider);
    await client.start("program", { instanceId: "early" });
    const died = new Promise<void>((resolve) => machine.onDeath(resolve));
    files.dooms.atWrite(machine, writes, (call) => {
      at = call;
      machine.kill();
    });
    await Promise.race([client.start("program", { instanceId: "late" }), died]);
  });
  if (at === undefined) return undefined;
  const seen = await inProcess(world, files, durability, queuedStarts);
  disk.losePower();
  const left = await inProcess(world, files, durability, queuedStarts);
  return { durability, at, seen, left };
}

async function queuedStarts({ admin }: Provider): Promise<number> {
  const depths = await admin.getQueueDepths();
  return depths?.orchestratorQueue ?? 0;
}

async function inProcess<T>(
  world: World,
  files: FileSystem,
  durability: Durability,
  work: (provider: Provider, machine: Machine) => Promise<T>,
): Promise<T> {
  const machine = world.machine("process");
  machine.onDeath(() => files.processDied(machine));
  return world.in(machine, async () => {
    const provider = await SqliteProvider.open("/simulated.db", { durability });
    try {
      return await work(provider, machine);
    } finally {
      machine.kill();
    }
  });
}
