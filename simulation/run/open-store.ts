/** The store of a run, by its name. */
import { CosmosStore } from "../cosmos/cosmos-store.ts";
import type { FaultLog } from "../faults/fault-log.ts";
import type { World } from "../world/world.ts";
import type { Settings } from "./settings.ts";
import type { SimulatedStore } from "./simulated-store.ts";

export function openStore(world: World, settings: Settings, faultLog: FaultLog): SimulatedStore {
  switch (settings.store) {
    case "cosmos":
      return new CosmosStore(world, settings, faultLog);
    default:
      throw new Error(`no store ${settings.store}`);
  }
}
