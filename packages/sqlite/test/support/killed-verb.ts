/** Runs a change on a file and keeps what a kill at each of its statements would leave. */
import { copyFileSync } from "node:fs";
import type { VirtualClock } from "@duroxide-ts/core/testing";
import { Database } from "../../src/connection/database.ts";
import { toSettings } from "../../src/connection/options.ts";
import { SqliteProvider } from "../../src/index.ts";
import { OrchestrationSource } from "../../src/operations/fetch-orchestration-item.ts";
import { workSource } from "../../src/operations/fetch-work-item.ts";
import { type Sources, Store } from "../../src/store.ts";
import { temporaryFolder } from "./fixture.ts";
import { KilledDatabase, type Left } from "./killed-database.ts";

/** Every row of every table, without what differs by chance. */
export type Dump = Readonly<Record<string, readonly object[]>>;

export interface Kills extends AsyncDisposable {
  readonly left: readonly Left[];
  readonly commits: number;
  readonly before: Dump;
  /** Dumps after each commit. */
  readonly afterEach: readonly Dump[];
  /** Reads what another process finds in a file. Changes nothing but the log. */
  readonly dump: (path: string) => Dump;
}

/** `path` is that of the file. */
type Step = (provider: SqliteProvider, path: string) => Promise<unknown>;

export async function killsOf(clock: VirtualClock, prepare: Step, change: Step): Promise<Kills> {
  const folder = temporaryFolder();
  const file = folder.file("store.db");
  const prepared = await SqliteProvider.open(file, { clock });
  await prepare(prepared, file);
  await prepared.close();
  copyFileSync(file, folder.file("before.db"));
  const db = new KilledDatabase(file, folder.file("killed"));
  const provider = providerOn(db, file, clock);
  db.watch();
  await change(provider, file);
  await provider.close();
  const ends = db.left.filter(({ before }) => before === undefined);
  return {
    left: db.left,
    commits: ends.length,
    before: dumpOf(folder.file("before.db")),
    afterEach: ends.map(({ path }) => dumpOf(path)),
    dump: dumpOf,
    [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
  };
}

/** The constructor is for `SqliteProvider.open`, which makes a database of its own. */
function providerOn(db: Database, path: string, clock: VirtualClock): SqliteProvider {
  const settings = toSettings({ clock });
  const sources: Sources = {
    orchestrations: (earlyTurns) => new OrchestrationSource(earlyTurns),
    activities: workSource,
  };
  const store = new Store({ db, files: { path, realPath: path } }, settings, sources);
  return Reflect.construct(SqliteProvider, [store, settings]) as SqliteProvider;
}

const BY_CHANCE: ReadonlySet<string> = new Set(["history_tag", "lock_token"]);

function dumpOf(path: string): Dump {
  const db = new Database(path);
  try {
    const tables = db.all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
    );
    return Object.fromEntries(
      tables.map(({ name }) => [name, db.all<object>(`SELECT * FROM ${name} ORDER BY 1, 2`).map(certain)]),
    );
  } finally {
    db.close();
  }
}

function certain(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !BY_CHANCE.has(column)));
}
