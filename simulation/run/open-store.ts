/** The store of a run, by its name. */
import type { FaultLog } from "../faults/fault-log.ts";
import type { ObserverFaults } from "../faults/observers.ts";
import type { Settings } from "../settings.ts";
import type { SimulatedStore } from "../store/simulated-store.ts";
import type { Globals } from "../world/globals.ts";
import type { World } from "../world/world.ts";

/** Loads what the store needs, and only that. */
export async function openStore(
  globals: Globals,
  world: World,
  settings: Settings,
  faultLog: FaultLog,
  observers: ObserverFaults,
): Promise<SimulatedStore> {
  switch (settings.store) {
    case "cosmos": {
      const { CosmosStore } = await import("../cosmos/cosmos-store.ts");
      return new CosmosStore(world, settings, faultLog, observers);
    }
    case "sqlite": {
      const { SqliteStore } = await import("../sqlite/sqlite-store.ts");
      return SqliteStore.open(globals, world, settings, faultLog, observers);
    }
  }
}
