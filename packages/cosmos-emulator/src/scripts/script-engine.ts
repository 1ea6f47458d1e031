/**
 * The caller's side of stored procedures: hands a script to the interpreter's thread, makes the calls that the script
 * asks for, keeps the time, and replaces a thread that does not obey. All of it in one synchronous call, so that a
 * script is part of its caller's transaction.
 */
import { CosmosError } from "../protocol/cosmos-error.ts";
import type { EngineLine, Phase, RunMessage } from "./channel.ts";
import { performCall } from "./perform-call.ts";
import type { ScriptCollection, ScriptLimits, ScriptRequest } from "./script-collection.ts";
import { outOfTime, responseOf, type ScriptOutcome } from "./script-outcome.ts";
import { ScriptThread } from "./script-thread.ts";

export interface ScriptEngineOptions {
  /**
   * Memory of the interpreter and of all that a script holds at one time, in bytes. At least 16 MiB. Default: 64 MiB.
   */
  readonly memoryBytes?: number;
}

const DEFAULT_MEMORY_BYTES = 64 * 1024 * 1024;

/** The share of its time after which a script's calls are no longer accepted, so that it can end in order. */
const ACCEPTING_SHARE = 0.8;

/**
 * Time that a script gets to stop, in ms: longer than QuickJS needs between two checks, unless it is in a built-in
 * loop.
 */
const GRACE_MS = 500;

/** Starts the interpreter in a thread of its own, once for an endpoint. Rejects if it cannot be loaded. */
export async function loadScripts(options: ScriptEngineOptions = {}): Promise<ScriptEngine> {
  const engine = new ScriptEngine(options.memoryBytes ?? DEFAULT_MEMORY_BYTES);
  await engine.ready();
  return engine;
}

/** Runs stored procedures, one at a time. Made by `loadScripts`. */
export class ScriptEngine {
  readonly #memoryBytes: number;
  #thread: ScriptThread;

  constructor(memoryBytes: number) {
    this.#memoryBytes = memoryBytes;
    this.#thread = new ScriptThread(memoryBytes);
  }

  async ready(): Promise<void> {
    await this.#thread.ready();
  }

  /**
   * Runs a stored procedure to its end, blocks until then, and returns the JSON text of its response. The caller undoes what the script wrote if this throws:
   * CosmosError 400 for a script that is not a function or throws (with the number of the error as sub-status), 408 at
   * the end of its time, 413 beyond the limit of the response, 503 if the interpreter does not start; or whatever the
   * collection threw that is not a CosmosError.
   */
  run(request: ScriptRequest, collection: ScriptCollection, limits: ScriptLimits): string {
    if (!this.#thread.waitUntilReady()) throw unavailable();
    let outcome: ScriptOutcome | undefined;
    try {
      outcome = runOn(this.#thread.line, request, collection, limits);
    } finally {
      if (outcome === undefined || outcome.kind === "broken") this.#replaceThread();
    }
    if (outcome === undefined) throw outOfTime(request.name, limits);
    return responseOf(outcome, request.name, limits);
  }

  /** Ends the thread. Nothing can run afterwards. */
  async close(): Promise<void> {
    await this.#thread.end();
  }

  /** Replaces the thread. The next one starts while this one works; a script that comes too early waits for it. */
  #replaceThread(): void {
    this.#thread.end().catch(() => undefined);
    this.#thread = new ScriptThread(this.#memoryBytes);
  }
}

/** Runs a script and returns its end; undefined if it did not end when it had to. */
function runOn(
  line: EngineLine,
  request: ScriptRequest,
  collection: ScriptCollection,
  limits: ScriptLimits,
): ScriptOutcome | undefined {
  const startedAt = limits.now();
  let outgoing: RunMessage | string | undefined = runMessage(request, collection, limits);
  for (;;) {
    const { phase, lastsMs } = phaseAt(limits.now() - startedAt, limits.timeMs);
    // Before the message, so that the script cannot see the answer of a slow call and miss that its time is used.
    line.phase = phase;
    if (outgoing !== undefined) line.send(outgoing);
    const message = line.receive(lastsMs);
    if (message?.kind === "outcome") return inTime(message.outcome, limits.now() - startedAt, limits.timeMs);
    if (message === undefined && phase === "stopped") return undefined;
    outgoing = message === undefined ? undefined : performCall(collection, message);
  }
}

function runMessage(
  request: ScriptRequest,
  { selfLink, altLink }: ScriptCollection,
  { maxResponseLength }: ScriptLimits,
): RunMessage {
  const { source, name } = request;
  const argumentsText = JSON.stringify(request.args);
  return { source, name, argumentsText, selfLink, altLink, maxResponseLength };
}

/** Finds the phase that belongs to the time, and how long it lasts. */
function phaseAt(elapsedMs: number, timeMs: number): { phase: Phase; lastsMs: number } {
  const acceptingMs = timeMs * ACCEPTING_SHARE;
  if (elapsedMs < acceptingMs) return { phase: "open", lastsMs: Math.ceil(acceptingMs - elapsedMs) };
  if (elapsedMs < timeMs) return { phase: "closing", lastsMs: Math.ceil(timeMs - elapsedMs) };
  return { phase: "stopped", lastsMs: GRACE_MS };
}

/** Corrects the end of a script that finished after its time: its last call may have been refused for that reason. */
function inTime(outcome: ScriptOutcome, elapsedMs: number, timeMs: number): ScriptOutcome {
  return outcome.kind !== "broken" && elapsedMs >= timeMs ? { kind: "stopped" } : outcome;
}

function unavailable(): CosmosError {
  return new CosmosError({
    status: 503,
    code: "ServiceUnavailable",
    message: "The interpreter of stored procedures does not start. Restart the emulator.",
  });
}
