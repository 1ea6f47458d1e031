/**
 * One question for all queues while there is nothing to do: whether anything is visible, and of which queue. A process
 * that idles asks it once in the longest interval, whatever the number of its queues and filters; a queue that has
 * something is then asked itself.
 */
import type { SqlQuerySpec } from "@azure/cosmos";
import type { Clock } from "@duroxide-ts/core";
import { UNLOCKED } from "../documents/unlocked.ts";
import type { Call } from "../service/service.ts";
import type { Candidates, Row } from "./candidates.ts";
import type { Part } from "./slots/part.ts";
import type { QueueName } from "./slots/slot-assignment.ts";

/** A page of one queue alone says nothing of the other. */
const PAGE = 50;

const VISIBLE = `c.visibleAt <= @now AND ${UNLOCKED}`;

interface Sleeper {
  readonly type: QueueName;
  readonly candidates: Pick<Candidates<unknown, Row>, "isIdle" | "rest" | "wake">;
  readonly part: Part;
  readonly waiting: { notify(): void };
}

export class QuietLook {
  readonly #clock: Clock;
  readonly #sleepers: Sleeper[] = [];
  #looking: Promise<void> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(sleeper: Sleeper): void {
    this.#sleepers.push(sleeper);
  }

  /** Afterwards every idle queue knows when it is asked next: at once, or after its interval. */
  look(call: Call): Promise<void> {
    this.#looking ??= this.#look(call).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(call: Call): Promise<void> {
    // A queue that is busy asks for itself: asked here too, it would think that it has looked beyond its slots.
    const sleepers = this.#sleepers.filter(({ candidates }) => candidates.isIdle);
    const { results, next } = await call.pages<string>(this.#question(sleepers), PAGE);
    const found = new Set(results);
    for (const { type, candidates, waiting } of sleepers) {
      if (!candidates.isIdle) continue;
      if (found.has(type) || next !== undefined) {
        candidates.wake();
        waiting.notify();
      } else {
        candidates.rest();
      }
    }
  }

  #question(sleepers: readonly Sleeper[]): SqlQuerySpec {
    const parts = sleepers.map(({ type, part }, index) => ({ type, ...part.condition(String(index)) }));
    const shared = parts.some(({ text }) => text !== "") ? ` AND (${parts.map(partText).join(" OR ")})` : "";
    return {
      query: `SELECT VALUE c.type FROM c WHERE ${VISIBLE}${shared} ORDER BY c.visibleAt`,
      parameters: [
        { name: "@now", value: this.#clock.now() },
        ...parts.flatMap(({ parameters }) => parameters),
      ],
    };
  }
}

function partText({ type, text }: { readonly type: QueueName; readonly text: string }): string {
  return text === "" ? `c.type = '${type}'` : `(c.type = '${type}' AND ${text})`;
}
