/** The SQLite provider on the simulated disk of one machine, which all simulated processes share. */
import type { Logger } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import type { SqliteFault } from "../faults/fault.ts";
import type { FaultLog } from "../faults/fault-log.ts";
import type { ObserverFaults } from "../faults/observers.ts";
import type { Settings } from "../settings.ts";
import { DecodedEvents } from "../store/decoded-events.ts";
import type { Connection, SimulatedStore, StoreChange, Stored } from "../store/simulated-store.ts";
import { Chance } from "../world/chance.ts";
import type { Globals } from "../world/globals.ts";
import type { Machine } from "../world/machine.ts";
import { ProcessTable } from "../world/process-table.ts";
import { tracingLogger } from "../world/tracing-logger.ts";
import type { World } from "../world/world.ts";
import { DatabaseSync } from "./database-sync.ts";
import { Disk, GOOD_DISK } from "./disk.ts";
import { loadSqlite } from "./engine.ts";
import type { FileSystem } from "./file-system.ts";
import { NOTHING_STORED, StoredRows } from "./stored-rows.ts";

/** No real file has this name, so the provider's own looks at the file system find nothing. */
const PATH = "/duroxide-simulation.db";
const COPY = "/duroxide-simulation-copy.db";
const BACKUP = "/duroxide-simulation-backup.db";
/** The event by which a process says that its file was deleted or replaced. */
const FILE_GONE = "database_file_gone";
/** After that a process is ended within this time. */
const ENDED_WITHIN_MS = 3_000;
/** The file and its log. */
const FILES = ["", "-wal"] as const;

export class SqliteStore implements SimulatedStore {
  readonly #world: World;
  readonly #settings: Settings;
  readonly #files: FileSystem;
  readonly #disk: Disk;
  readonly #chance: Chance;
  readonly #log: FaultLog;
  readonly #machines = new Set<Machine>();
  readonly #decoded = new DecodedEvents();
  readonly #observers: ObserverFaults;
  readonly #processes: ProcessTable;
  #hasBackup = false;
  #isReplaced = false;
  #onChange: (change: StoreChange) => void = () => {};
  #last: { readonly changes: string; readonly stored: Stored } | undefined;

  private constructor(
    world: World,
    settings: Settings,
    files: FileSystem,
    log: FaultLog,
    observers: ObserverFaults,
  ) {
    this.#observers = observers;
    this.#processes = new ProcessTable(Chance.of(world.seed, "process table"));
    this.#world = world;
    this.#settings = settings;
    this.#files = files;
    const losesPower = settings.faults.has("power-loss");
    this.#disk = new Disk(Chance.of(world.seed, "disk"), { losesPower });
    this.#chance = Chance.of(world.seed, "sqlite troubles");
    this.#log = log;
    files.mount(this.#disk, (fault, call) => log.add(fault, call));
  }

  static async open(
    globals: Globals,
    world: World,
    settings: Settings,
    log: FaultLog,
    observers: ObserverFaults,
  ): Promise<SqliteStore> {
    const files = await loadSqlite(
      () => globals.machine,
      () => globals.world?.nowMs ?? 0,
    );
    return new SqliteStore(world, settings, files, log, observers);
  }

  async connect(machine: Machine): Promise<Connection> {
    this.#machines.add(machine);
    machine.onDeath(() => {
      this.#machines.delete(machine);
      this.#files.processDied(machine);
    });
    const provider = await SqliteProvider.open(PATH, {
      clock: machine,
      random: Chance.of(this.#world.seed, `provider ${machine.name}`),
      processes: this.#processes.of(machine),
      pollIntervalMs: this.#settings.pollIntervalMs.min,
      logger: this.#observers.of(machine).logger(this.#supervised(machine)),
    });
    return { provider, close: () => provider.close() };
  }

  /** A process that says that its file is gone is ended, as docs/errors.md asks for, in its own time. */
  #supervised(machine: Machine): Logger {
    const logger = tracingLogger(this.#world, machine);
    return {
      ...logger,
      error: (fields, message) => {
        logger.error(fields, message);
        if (fields["event"] !== FILE_GONE) return;
        const endsInMs = this.#chance.below(ENDED_WITHIN_MS);
        this.#world.schedule(endsInMs, undefined, "ended", () => machine.kill());
      },
    };
  }

  beginFaults(): void {}

  endFaults(): void {
    this.#files.dooms.clear();
    this.#disk.weather = { ...GOOD_DISK };
  }

  trouble(): string | undefined {
    const { faults, leaseMs } = this.#settings;
    const chance = this.#chance;
    const kinds: [SqliteFault, () => void][] = [];
    if (faults.has("power-loss")) kinds.push(["power-loss", () => this.#losePowerSoon()]);
    if (faults.has("death-at-write")) kinds.push(["death-at-write", () => this.#dieAtWrite()]);
    if (faults.has("busy")) kinds.push(["busy", () => this.#block(chance.pick([50, 500, 4_000, 7_000]))]);
    if (faults.has("disk-full"))
      kinds.push(["disk-full", () => this.#fill(chance.pick([500, 0.8 * leaseMs, 3_000]))]);
    if (faults.has("io-error")) kinds.push(["io-error", () => this.#failFor(chance.pick([200, 2_000]))]);
    if (faults.has("file-replaced") && !this.#isReplaced) {
      kinds.push(["file-replaced", () => this.#replace()]);
    }
    const [first, ...others] = kinds;
    if (first === undefined) return undefined;
    const [name, begin] = chance.pick([first, ...others]);
    begin();
    return name;
  }

  /**
   * A copy of the file is kept the first time. The second time the file is deleted, alone or with its log, or the
   * copy is put in its place. Once in a run: all programs begin again then.
   */
  #replace(): void {
    const chance = this.#chance;
    if (!this.#hasBackup) {
      this.#copyFile(PATH, BACKUP);
      this.#hasBackup = true;
      this.#onChange("saved");
      return;
    }
    const kind = chance.pick(["deleted", "deleted without its log", "restored"] as const);
    this.#isReplaced = true;
    this.#last = undefined;
    this.#files.unlink(PATH);
    if (kind !== "deleted without its log") this.#files.unlink(`${PATH}-wal`);
    if (kind === "restored") this.#copyFile(BACKUP, PATH);
    this.#log.add("file-replaced", kind);
    this.#onChange(kind === "restored" ? "restored" : "emptied");
  }

  onChange(listener: (change: StoreChange) => void): void {
    this.#onChange = listener;
  }

  /** Copies the file with its log, durably. */
  #copyFile(from: string, to: string): void {
    for (const end of FILES) {
      this.#disk.copy(`${from}${end}`, `${to}${end}`);
      this.#disk.find(`${to}${end}`)?.settle();
    }
  }

  /**
   * Reads the file again only where it has changed. While no process has it open, it is what was read last: of what is
   * not synced the next process may find all or nothing.
   */
  read(): Stored {
    if (!this.#files.isOpen(PATH)) return this.#last?.stored ?? NOTHING_STORED;
    const files = FILES.map((end) => this.#disk.find(`${PATH}${end}`));
    const changes = files.map((file) => `${file?.id} ${file?.changes}`).join(" ");
    if (this.#last?.changes !== changes) {
      this.#last = { changes, stored: this.#inCopy((db) => new StoredRows(db, this.#decoded)) };
    }
    return this.#last.stored;
  }

  damage(): readonly string[] {
    return this.#inCopy((db) =>
      (db.prepare("PRAGMA integrity_check").all() as { integrity_check: string }[]).flatMap((row) =>
        row.integrity_check === "ok" ? [] : [`damaged file: ${row.integrity_check}`],
      ),
    );
  }

  /** A copy as processes see it, because a connection to the file itself would take part in its locks. */
  #inCopy<T>(use: (db: DatabaseSync) => T): T {
    for (const end of FILES) this.#disk.copy(`${PATH}${end}`, `${COPY}${end}`);
    this.#files.copyMemory(PATH, COPY);
    const { weather } = this.#disk;
    this.#disk.weather = { ...GOOD_DISK };
    const db = new DatabaseSync(COPY);
    try {
      return use(db);
    } finally {
      db.close();
      this.#disk.weather = weather;
    }
  }

  async close(): Promise<void> {}

  /** At a write of one of the processes, or at once where none writes. */
  #losePowerSoon(): void {
    const machine = this.#any();
    if (machine === undefined || this.#chance.happens(0.2)) this.#losePower("idle");
    else this.#files.dooms.atWrite(machine, this.#chance.below(40), (call) => this.#losePower(call));
  }

  #losePower(call: string): void {
    this.#onChange("losing power");
    this.#log.add("power-loss", call);
    this.#killAll();
    this.#disk.losePower();
  }

  #killAll(): void {
    for (const each of [...this.#machines]) each.kill();
  }

  #dieAtWrite(): void {
    const machine = this.#any();
    if (machine === undefined) return;
    if (this.#settings.faults.has("power-loss") && this.#chance.happens(0.3)) {
      this.#dieTogether(machine);
      return;
    }
    this.#files.dooms.atWrite(machine, this.#chance.below(40), (call) => {
      this.#log.add("death-at-write", call);
      machine.kill();
    });
  }

  /**
   * All processes die before a commit is synced, and the power fails at the first write of those that follow: what they
   * have read of that commit must not be lost.
   */
  #dieTogether(machine: Machine): void {
    this.#files.dooms.atSync(machine, (call) => {
      this.#log.add("death-at-write", call);
      this.#killAll();
      this.#files.dooms.atWriteOfAny((next) => this.#losePower(next));
    });
  }

  #block(forMs: number): void {
    const unblock = this.#files.block(PATH);
    if (unblock !== undefined) this.#world.schedule(forMs, undefined, "unblocked", unblock);
  }

  #fill(forMs: number): void {
    this.#disk.weather.isFull = true;
    this.#world.schedule(forMs, undefined, "space", () => {
      this.#disk.weather.isFull = false;
    });
  }

  #failFor(forMs: number): void {
    const rate = (): number => this.#chance.pick([0, 0.002, 0.02]);
    const { isFull } = this.#disk.weather;
    this.#disk.weather = { isFull, readErrors: rate(), writeErrors: rate(), syncErrors: rate() };
    this.#world.schedule(forMs, undefined, "disk works", () => {
      this.#disk.weather = { ...GOOD_DISK, isFull: this.#disk.weather.isFull };
    });
  }

  #any(): Machine | undefined {
    const machines = [...this.#machines];
    return machines[this.#chance.below(machines.length)];
  }
}
