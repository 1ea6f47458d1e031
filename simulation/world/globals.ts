/**
 * Time and chance of the language and of Node, for libraries that read them by themselves: the SDK of Cosmos DB waits
 * with `setTimeout`, draws ids and signs with the date. In a simulation they are those of the machine whose code runs.
 * They stay replaced for the whole life of the operating system's process.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { createRequire, syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { Chance } from "./chance.ts";
import type { Machine } from "./machine.ts";
import { Rounds } from "./rounds.ts";
import { Trace } from "./trace.ts";
import { World } from "./world.ts";

const RealDate = Date;
const require = createRequire(import.meta.url);

export class Globals {
  readonly #rounds = new Rounds();
  readonly #running = new AsyncLocalStorage<Machine | undefined>();
  readonly #onBeat: () => void;
  #world: World | undefined;
  #chance = new Chance(0);

  /** `onBeat` is called every now and then while a world takes steps. */
  constructor(onBeat: () => void) {
    this.#onBeat = onBeat;
  }

  /** Before anything else is loaded, because modules keep what they find. */
  install(): void {
    // Stored stacks have the paths of source files, and a seed gives the same run on every machine.
    Error.stackTraceLimit = 0;
    this.#rounds.install();
    this.#installOutside();
    this.#installTime();
    this.#installTimers();
    this.#installChance();
  }

  /** The world that the globals show. */
  get world(): World | undefined {
    return this.#world;
  }

  /** The machine whose code runs. */
  get machine(): Machine | undefined {
    return this.#running.getStore();
  }

  /** The world that the globals show from now on. `isEndless`: its steps are not limited. */
  newWorld(seed: number, trace: Trace = new Trace(), isEndless = false): World {
    this.#chance = Chance.of(seed, "globals");
    this.#world = new World({
      seed,
      trace,
      rounds: this.#rounds,
      running: this.#running,
      onBeat: this.#onBeat,
      isEndless,
    });
    return this.#world;
  }

  #nowMs(): number {
    return this.#running.getStore()?.now() ?? this.#world?.nowMs ?? 0;
  }

  /** Keeps the machine of what a package runs outside of all async contexts (packages/core/src/host/outside.ts). */
  #installOutside(): void {
    const inRoot = AsyncLocalStorage.snapshot();
    const outside = <T>(call: () => T): T => {
      const machine = this.#running.getStore();
      return inRoot(() => this.#running.run(machine, call));
    };
    Object.defineProperty(globalThis, Symbol.for("duroxide.outside.1"), { value: outside });
  }

  #installTime(): void {
    const nowMs = (): number => this.#nowMs();
    const VirtualDate = new Proxy(RealDate, {
      construct: (target, args, newTarget) =>
        Reflect.construct(target, args.length === 0 ? [nowMs()] : args, newTarget),
      apply: () => new RealDate(nowMs()).toString(),
    });
    Object.defineProperty(RealDate, "now", { value: nowMs, configurable: true, writable: true });
    Object.defineProperty(RealDate.prototype, "constructor", {
      value: VirtualDate,
      configurable: true,
      writable: true,
    });
    Object.assign(globalThis, { Date: VirtualDate });
    Object.defineProperty(performance, "now", { value: nowMs, configurable: true, writable: true });
  }

  #installTimers(): void {
    const start = (
      callback: (...args: unknown[]) => void,
      delayMs: number,
      args: unknown[],
      repeats: boolean,
    ): Timer => {
      const machine = this.#running.getStore();
      const world = this.#world;
      const timer = new Timer();
      const arm = (): void => {
        timer.cancel =
          world?.schedule(Math.max(1, delayMs || 0), machine, "timeout", () => {
            if (repeats) arm();
            callback(...args);
          }) ?? timer.cancel;
      };
      arm();
      return timer;
    };
    const clear = (timer: unknown): void => {
      if (timer instanceof Timer) timer.cancel();
    };
    const timers = {
      setTimeout: (callback: () => void, delayMs = 1, ...args: unknown[]) =>
        start(callback, delayMs, args, false),
      setInterval: (callback: () => void, delayMs = 1, ...args: unknown[]) =>
        start(callback, delayMs, args, true),
      clearTimeout: clear,
      clearInterval: clear,
    };
    Object.assign(globalThis, timers);
    Object.assign(require("node:timers"), timers);
  }

  #installChance(): void {
    Math.random = () => this.#chance.next();
    const uuid = (): string => this.#chance.uuid();
    const fill = (target: Uint8Array): Uint8Array => {
      for (let at = 0; at < target.length; at++) target[at] = this.#chance.below(256);
      return target;
    };
    // What a runtime reports of itself is stored, and its length is part of what a request costs.
    Object.defineProperty(process, "pid", { value: 1 });
    os.hostname = () => "simulated";
    (require("node:crypto") as Record<string, unknown>)["createHmac"] = () => new Signature();
    syncBuiltinESMExports();
    Object.defineProperty(crypto, "randomUUID", { value: uuid, configurable: true, writable: true });
    Object.defineProperty(crypto, "getRandomValues", { value: fill, configurable: true, writable: true });
  }
}

/**
 * Replaces an HMAC. Client and service sign every request, which would be a tenth of the time of a run; what they sign
 * is compared all the same.
 */
class Signature {
  #hash = 0;

  update(text: string): this {
    for (let at = 0; at < text.length; at++)
      this.#hash = (Math.imul(this.#hash, 31) + text.charCodeAt(at)) | 0;
    return this;
  }

  digest(encoding?: BufferEncoding): Buffer | string {
    const bytes = Buffer.alloc(32);
    bytes.writeInt32LE(this.#hash);
    return encoding === undefined ? bytes : bytes.toString(encoding);
  }
}

class Timer {
  cancel: () => void = () => {};
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
}
