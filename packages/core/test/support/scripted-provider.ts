/** A provider that hands out prepared fetches one after the other and notes how each is answered. */
import type {
  AbandonOptions,
  AckedOrchestration,
  FetchedOrchestration,
  FetchOrchestrationOptions,
  OrchestrationAck,
  Provider,
  RenewOptions,
} from "../../src/contract/provider.ts";

export type Answer =
  | ({ readonly kind: "ack" } & OrchestrationAck)
  | ({ readonly kind: "abandon" } & AbandonOptions);

export interface ScriptOptions {
  /** Keep executions in memory between turns, as a store with history tags allows. */
  readonly live: boolean;
}

/** Only what a runtime without workers calls; everything else is a mistake of the test. */
export class ScriptedProvider implements Pick<Provider, "fetchOrchestrationItem" | "ackOrchestrationItem"> {
  readonly name = "scripted";
  readonly version = "0.0.0";
  readonly answers: Answer[] = [];
  /** How many fetches were marked as running alone. */
  markedAlone = 0;
  readonly #script: FetchedOrchestration[];
  readonly #live: boolean;
  readonly #tags = new Map<string, string>();
  readonly #finished = Promise.withResolvers<void>();
  #handedOut: FetchedOrchestration | undefined;

  constructor(script: readonly FetchedOrchestration[], { live }: ScriptOptions) {
    this.#script = [...script];
    this.#live = live;
  }

  static create(
    script: readonly FetchedOrchestration[],
    options: ScriptOptions,
  ): ScriptedProvider & Provider {
    return new ScriptedProvider(script, options) as ScriptedProvider & Provider;
  }

  /** Resolves when every fetch of the script is answered. */
  get finished(): Promise<void> {
    return this.#finished.promise;
  }

  async fetchOrchestrationItem(
    options: FetchOrchestrationOptions,
  ): Promise<FetchedOrchestration | undefined> {
    const next = this.#script.shift();
    if (next === undefined) return this.#idle(options);
    this.#handedOut = next;
    const { instanceId } = next.item;
    const held = options.heldHistory?.(instanceId);
    if (held === undefined || held !== this.#tags.get(instanceId)) return next;
    return { ...next, item: { ...next.item, history: [], kvSnapshot: new Map(), historyOmitted: true } };
  }

  async ackOrchestrationItem(ack: OrchestrationAck): Promise<AckedOrchestration> {
    this.#answer({ kind: "ack", ...ack });
    if (!this.#live || this.#handedOut === undefined) return {};
    this.#tags.set(this.#handedOut.item.instanceId, ack.lockToken);
    return { historyTag: ack.lockToken };
  }

  async abandonOrchestrationItem(_lockToken: string, options: AbandonOptions = {}): Promise<void> {
    this.#answer({ kind: "abandon", delayMs: 0, ignoreAttempt: false, ...options });
  }

  async renewOrchestrationItemLock(
    _lockToken: string,
    _extendMs: number,
    options: RenewOptions = {},
  ): Promise<void> {
    if (options.alone === true) this.markedAlone++;
  }

  async readHistory(): Promise<readonly []> {
    return [];
  }

  #answer(answer: Answer): void {
    this.answers.push(answer);
    if (this.#script.length === 0) this.#finished.resolve();
  }

  #idle({ signal }: FetchOrchestrationOptions): Promise<undefined> {
    return new Promise((resolve) => {
      if (signal?.aborted) resolve(undefined);
      signal?.addEventListener("abort", () => resolve(undefined), { once: true });
    });
  }
}
