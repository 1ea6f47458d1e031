/** Stores on a file whose disk is as slow as the test says. */
import { SeededRandom, VirtualClock } from "@duroxide-ts/core/testing";
import { startItem } from "@duroxide-ts/provider-tests/building-blocks";
import type { Disk } from "../../src/connection/disk.ts";
import { openDatabase } from "../../src/connection/open-database.ts";
import { toSettings } from "../../src/connection/options.ts";
import { enqueueForOrchestrator } from "../../src/operations/enqueue-for-orchestrator.ts";
import { OrchestrationSource } from "../../src/operations/fetch-orchestration-item.ts";
import { workSource } from "../../src/operations/fetch-work-item.ts";
import { inspect } from "../../src/schema/inspect.ts";
import { migrate } from "../../src/schema/migrate.ts";
import { Store } from "../../src/store.ts";

/** A disk on which each commit is slow. A sync ends when the test says so, at once unless `isHeld`. */
export class SlowDisk implements Disk {
  readonly slowMs = 0;
  /** Set above zero, each sync is quick. */
  quickMs = 0;
  isHeld = false;
  fails = false;
  /** Cleared, the log cannot be opened. */
  opens = true;
  syncs = 0;
  /** Called when a sync has ended. */
  onSynced: () => void = () => {};
  #ends: (() => void)[] = [];

  open(): boolean {
    return this.opens;
  }

  async sync(): Promise<void> {
    this.syncs++;
    if (this.isHeld) await new Promise<void>((resolve) => this.#ends.push(resolve));
    if (this.fails) throw new Error("EIO: i/o error, fdatasync");
    this.onSynced();
  }

  release(): void {
    this.isHeld = false;
    for (const end of this.#ends.splice(0)) end();
  }

  async close(): Promise<void> {}
}

export interface SlowStore extends AsyncDisposable {
  readonly store: Store;
  readonly disk: SlowDisk;
  readonly clock: VirtualClock;
  start(id: string): Promise<unknown>;
  /** Commits until the log is synced apart. */
  slowDown(): Promise<void>;
}

export async function openSlow(path: string, clock: VirtualClock = new VirtualClock()): Promise<SlowStore> {
  const disk = new SlowDisk();
  const settings = { ...toSettings({ clock, random: new SeededRandom("slow") }), disk: () => disk };
  const opened = await openDatabase(path, settings, { inspect, migrate });
  const store = new Store(opened, settings, {
    orchestrations: (earlyTurns) => new OrchestrationSource(earlyTurns),
    activities: workSource,
  });
  const start = (id: string): Promise<unknown> =>
    store.write("enqueueForOrchestrator", enqueueForOrchestrator(startItem(id)));
  return {
    store,
    disk,
    clock,
    start,
    async slowDown() {
      for (let n = 0; n < 9; n++) await start(`slow-${n}`);
      await clock.advance(1_000);
      await start("slow-last");
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
}
