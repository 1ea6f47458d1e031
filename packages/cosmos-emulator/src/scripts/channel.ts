/**
 * A line between the engine and the interpreter's thread on which both sides can wait without giving up their thread:
 * to its caller a script is one synchronous call, and to the script so is every call of the collection.
 */
import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { ScriptOutcome } from "./script-outcome.ts";

/** A script to run, with the settings of its sandbox. */
export interface RunMessage {
  readonly source: string;
  readonly name: string;
  /** JSON text of an array. */
  readonly argumentsText: string;
  readonly selfLink: string;
  readonly altLink: string;
  readonly maxResponseLength: number;
}

/** A call of the collection, with texts as the sandbox wrote them, which must be checked. */
export interface CallMessage {
  readonly kind: "call";
  readonly operation: string;
  readonly argument: string;
}

export interface OutcomeMessage {
  readonly kind: "outcome";
  readonly outcome: ScriptOutcome;
}

/** The engine sends a request, then one answer (JSON text) for each call. */
export type EngineLine = Channel<CallMessage | OutcomeMessage, RunMessage | string>;
export type WorkerLine = Channel<RunMessage | string, CallMessage | OutcomeMessage>;

/** The phase of a script's time: new calls are accepted, no longer accepted, or the script must stop. */
export type Phase = "open" | "closing" | "stopped";

const PHASES: readonly Phase[] = ["open", "closing", "stopped"];
const READY = 0;
const PHASE = 1;
const TO_ENGINE = 2;
const TO_WORKER = 3;

export type Side = "engine" | "worker";

/** Makes the shared memory of a channel. The messages travel on a port; here both sides see that there is one. */
export function newControl(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT));
}

export class Channel<Incoming, Outgoing> {
  readonly #port: MessagePort;
  readonly #control: Int32Array<SharedArrayBuffer>;
  readonly #inbox: number;
  readonly #outbox: number;

  constructor(side: Side, port: MessagePort, control: Int32Array<SharedArrayBuffer>) {
    this.#port = port;
    this.#control = control;
    this.#inbox = side === "engine" ? TO_ENGINE : TO_WORKER;
    this.#outbox = side === "engine" ? TO_WORKER : TO_ENGINE;
  }

  send(message: Outgoing): void {
    this.#port.postMessage(message);
    Atomics.add(this.#control, this.#outbox, 1);
    Atomics.notify(this.#control, this.#outbox);
  }

  /** Receives a message, and blocks the thread until then. Undefined after `timeoutMs` without a message. */
  receive(timeoutMs: number): Incoming | undefined {
    for (;;) {
      // Read before the port is looked at: a message that comes in between changes it, and the wait ends at once.
      const seen = Atomics.load(this.#control, this.#inbox);
      const received = receiveMessageOnPort(this.#port);
      if (received !== undefined) return received.message as Incoming;
      if (Atomics.wait(this.#control, this.#inbox, seen, timeoutMs) === "timed-out") return undefined;
    }
  }

  get phase(): Phase {
    return PHASES[Atomics.load(this.#control, PHASE)] ?? "stopped";
  }

  set phase(phase: Phase) {
    Atomics.store(this.#control, PHASE, PHASES.indexOf(phase));
  }

  /** Tells the engine that the worker can take requests. */
  announceReady(): void {
    Atomics.store(this.#control, READY, 1);
    Atomics.notify(this.#control, READY);
  }

  /** Blocks the thread until the worker is ready; false after `timeoutMs`. */
  waitUntilReady(timeoutMs: number): boolean {
    return Atomics.wait(this.#control, READY, 0, timeoutMs) !== "timed-out";
  }
}
