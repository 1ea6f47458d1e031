/** A container with processes on it, in a time that stands still: what an operation of the matrix is given. */
import type { Container } from "@azure/cosmos";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import type { Caller } from "@duroxide-ts/provider-tests/building-blocks";
import type { SendRequest } from "../../../../test/support/stores/in-process.ts";
import { UNHURRIED } from "../../../../test/support/stores/requests.ts";
import { rawContainer } from "../invariants/documents.ts";
import { StageClock } from "./stage-clock.ts";
import { Trap } from "./trap.ts";

/** Address of a stage. It travels to other processes. */
export interface Place {
  readonly connectionString: string;
  readonly container: string;
  /** Requests are refused for a while there, and repeated, so time passes while nothing is on its way. */
  readonly isTroubled?: boolean;
}

export const DATABASE = "crash";

/** Duration of the locks of turns, activities and sessions, ms. */
export const LOCK_MS = 30_000;

/** Nothing but a pass that is asked for comes in between. */
export const RECONCILER_INTERVAL_MS = 15_000;

/** A pass leaves out a partition that refuses it, so another one follows. */
const TROUBLED_PASSES = 4;

/** The first process begins now. */
export const START_MS = 1_700_000_000_000;
/** Time at which all locks of a process that died at the start are over, ms since the epoch. */
export const TAKE_OVER_MS: number = START_MS + 10 * RECONCILER_INTERVAL_MS + LOCK_MS;

export interface Stage extends Caller, AsyncDisposable {
  readonly provider: CosmosProvider;
  readonly clock: StageClock;
  /** Trap of `provider`. */
  readonly trap: Trap;
  readonly warnings: readonly string[];
  readonly raw: Container;
  readonly place: Place;
  /** Another process on the same container, with its own trap. */
  openAnother(): Promise<Actor>;
  /** Lets the reconciler of `provider` make a pass, as that of a process with a worker does, and closes the provider. */
  reconcile(): Promise<void>;
}

export interface Actor {
  readonly provider: CosmosProvider;
  readonly trap: Trap;
  readonly lockMs: number;
  /** Warnings of `provider`. */
  readonly warnings: readonly string[];
}

/** `send` carries requests to an endpoint of this process; without it they go through HTTP. */
export async function openStage(place: Place, nowMs: number, send?: SendRequest): Promise<Stage> {
  const traps: Trap[] = [];
  const clock = new StageClock(nowMs, () => traps.every(({ underWay }) => underWay === 0));
  if (place.isTroubled === true) clock.run();
  const opened: CosmosProvider[] = [];
  const openAnother = async (): Promise<Actor> => {
    const trap = new Trap();
    traps.push(trap);
    const warnings: string[] = [];
    const provider = await connect(place, clock, trap, (warning) => warnings.push(warning), send);
    opened.push(provider);
    return { provider, trap, lockMs: LOCK_MS, warnings };
  };
  const raw = rawContainer(place.connectionString, DATABASE, place.container, send);
  const actor = await openAnother();
  return {
    ...actor,
    clock,
    raw: raw.container,
    place,
    openAnother,
    async reconcile() {
      await serve(actor.provider);
      for (let pass = place.isTroubled === true ? TROUBLED_PASSES : 1; pass > 0; pass--) {
        await clock.advance(RECONCILER_INTERVAL_MS);
        await clock.quiet();
      }
      // A pass that has begun is awaited.
      await actor.provider.close();
    },
    async [Symbol.asyncDispose]() {
      for (const provider of opened) await provider.close();
      clock.stop();
      raw[Symbol.dispose]();
    },
  };
}

/** Makes a fetch that takes nothing and sends nothing: its process then asks for the unfinished work of others. */
export async function serve(provider: CosmosProvider): Promise<void> {
  await provider.fetchWorkItem({ lockTimeoutMs: LOCK_MS, pollTimeoutMs: 0, tagFilter: { kind: "none" } });
}

export function connect(
  { connectionString, container }: Place,
  clock: StageClock,
  trap: Trap,
  onWarning: (message: string) => void = () => {},
  send?: SendRequest,
): Promise<CosmosProvider> {
  const options = {
    ...UNHURRIED,
    reconcilerIntervalMs: RECONCILER_INTERVAL_MS,
    // Their beats would come in between.
    membership: false,
    onWarning,
  } as const;
  return CosmosProvider.connectThrough(
    { connectionString, database: DATABASE, container, clock, ...options },
    (request, next) => trap.pass(request, send ?? next),
  );
}
