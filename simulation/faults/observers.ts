/**
 * Loggers, meters, tracers and callbacks that fail: in some processes each call throws, or returns a promise that it
 * rejects, from some moment on. No outcome may change.
 */
import type { Logger, RuntimeOptions } from "@duroxide-ts/core";
import { Chance } from "../world/chance.ts";
import type { Machine } from "../world/machine.ts";
import type { World } from "../world/world.ts";
import type { FaultLog } from "./fault-log.ts";

/** Share of processes whose observers fail. */
const SHARE = 0.7;
const LATEST_MS = 4_000;

type Call = (...args: readonly never[]) => unknown;
type Meter = NonNullable<RuntimeOptions["meter"]>;
type Tracer = NonNullable<RuntimeOptions["tracer"]>;

/** Observers of all processes of a run, some of which fail. */
export class ObserverFaults {
  readonly #of: (machine: Machine) => Observers;
  readonly #known = new WeakMap<Machine, Observers>();

  constructor(world: World, isEnabled: boolean, log: FaultLog) {
    this.#of = (machine) => new Observers(world, machine, isEnabled, log);
  }

  of(machine: Machine): Observers {
    const known = this.#known.get(machine) ?? this.#of(machine);
    this.#known.set(machine, known);
    return known;
  }
}

/** The observers of one process. */
class Observers {
  readonly #world: World;
  readonly #chance: Chance;
  readonly #fromMs: number;
  readonly #log: FaultLog;
  #isNoted = false;

  constructor(world: World, machine: Machine, isEnabled: boolean, log: FaultLog) {
    this.#world = world;
    this.#log = log;
    this.#chance = Chance.of(world.seed, `observers ${machine.name}`);
    const fails = isEnabled && this.#chance.happens(SHARE);
    this.#fromMs = fails ? world.nowMs + this.#chance.below(LATEST_MS) : Number.POSITIVE_INFINITY;
  }

  /** Makes a call fail after it has done its work. */
  call<Given extends Call>(given: Given): Given {
    const failing = (...args: readonly never[]): unknown => {
      const result = given(...args);
      if (this.#world.nowMs < this.#fromMs) return result;
      if (!this.#isNoted) this.#log.add("observers", "process");
      this.#isNoted = true;
      const error = new Error("the simulation lets an observer fail");
      if (this.#chance.happens(0.5)) throw error;
      return Promise.reject(error);
    };
    return failing as Given;
  }

  logger({ debug, info, warn, error }: Logger): Logger {
    return { debug: this.call(debug), info: this.call(info), warn: this.call(warn), error: this.call(error) };
  }

  /** Further options of a runtime: none where no observer ever fails. */
  get options(): Pick<RuntimeOptions, "meter" | "tracer" | "onStoreTrouble"> {
    if (this.#fromMs === Number.POSITIVE_INFINITY) return {};
    return { meter: this.#meter, tracer: this.#tracer, onStoreTrouble: this.call(() => {}) };
  }

  get #meter(): Meter {
    return {
      createCounter: this.call(() => ({ add: this.call(() => {}) })),
      createHistogram: this.call(() => ({ record: this.call(() => {}) })),
      createObservableGauge: this.call(() => ({})),
      addBatchObservableCallback: this.call(() => {}),
      removeBatchObservableCallback: this.call(() => {}),
    };
  }

  get #tracer(): Tracer {
    const context = {
      traceId: "0".repeat(31).concat("1"),
      spanId: "0".repeat(15).concat("1"),
      traceFlags: 1,
    };
    const span = {
      spanContext: this.call(() => context),
      setAttribute: this.call(() => {}),
      setStatus: this.call(() => {}),
      recordException: this.call(() => {}),
      end: this.call(() => {}),
    };
    return { startSpan: this.call(() => span) };
  }
}
