/** A world for tests of a part of it. */
import { AsyncLocalStorage } from "node:async_hooks";
import { Rounds } from "../world/rounds.ts";
import { Trace } from "../world/trace.ts";
import { World } from "../world/world.ts";

export function newWorld(): World {
  return new World({
    seed: 1,
    trace: new Trace(),
    rounds: new Rounds(),
    running: new AsyncLocalStorage(),
    onBeat: () => {},
  });
}
