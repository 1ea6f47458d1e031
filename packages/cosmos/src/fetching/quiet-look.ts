/**
 * One question for all queues while there is nothing to do: whether anything is visible, and of which queue. A process
 * that idles asks it once in the longest interval, whatever the number of its queues and filters; a queue that has
 * something is then asked itself.
 */
import type { SqlQuerySpec } from "@azure/cosmos";
import { UNLOCKED } from "../documents/unlocked.ts";
import type { Call, Service } from "../service/service.ts";
import type { Candidates, Row } from "./candidates.ts";
import { RangeCursors, type RangePage } from "./range-cursors.ts";
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
  readonly #service: Service;
  readonly #cursors: RangeCursors<string>;
  readonly #sleepers: Sleeper[] = [];
  /** What the question under way has found. */
  #found = new Set<string>();
  #looking: Promise<void> | undefined;

  constructor(service: Service, stop: AbortSignal) {
    this.#service = service;
    const onPage = (page: RangePage<string>, isLate: boolean): void => this.#take(page, isLate);
    this.#cursors = new RangeCursors({ service, stop, limit: PAGE, onPage });
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
    this.#found = new Set();
    this.#cursors.restart();
    await this.#cursors.ask(call, this.#question(sleepers), { which: "all", waitsForAll: false });
    for (const sleeper of sleepers) {
      if (!sleeper.candidates.isIdle) continue;
      if (this.#found.has(sleeper.type)) wake(sleeper);
      else sleeper.candidates.rest();
    }
  }

  /** A page that is full, or comes short, says nothing of what is behind it. */
  #take({ results, hasMore }: RangePage<string>, isLate: boolean): void {
    const found = hasMore ? this.#sleepers.map(({ type }) => type) : results;
    for (const type of found) this.#found.add(type);
    if (!isLate) return;
    for (const sleeper of this.#sleepers) {
      if (found.includes(sleeper.type) && sleeper.candidates.isIdle) wake(sleeper);
    }
  }

  #question(sleepers: readonly Sleeper[]): SqlQuerySpec {
    const parts = sleepers.map(({ type, part }, index) => ({ type, ...part.condition(String(index)) }));
    const shared = parts.some(({ text }) => text !== "") ? ` AND (${parts.map(partText).join(" OR ")})` : "";
    return {
      query: `SELECT VALUE c.type FROM c WHERE ${VISIBLE}${shared} ORDER BY c.visibleAt`,
      parameters: [
        { name: "@now", value: this.#service.clock.now() },
        ...parts.flatMap(({ parameters }) => parameters),
      ],
    };
  }
}

function partText({ type, text }: { readonly type: QueueName; readonly text: string }): string {
  return text === "" ? `c.type = '${type}'` : `(c.type = '${type}' AND ${text})`;
}

function wake({ candidates, waiting }: Sleeper): void {
  candidates.wake();
  waiting.notify();
}
