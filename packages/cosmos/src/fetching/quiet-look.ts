/**
 * One query for all queues of an idle process: whether any work is visible, and in which queue. The process sends it once
 * in each longest interval, for any number of queues and filters; a queue with work is then queried itself. Processes
 * that query the same work take turns at the physical partitions (slots/turns.ts).
 */
import type { SqlQuerySpec } from "@azure/cosmos";
import { UNLOCKED } from "../documents/unlocked.ts";
import type { Call, Service } from "../service/service.ts";
import type { Candidates, Row } from "./candidates.ts";
import type { PollLimits } from "./poll-interval.ts";
import { RangeCursors, type RangePage } from "./range-cursors.ts";
import { EVERYTHING, type Part, type PartCondition } from "./slots/part.ts";
import type { QueueName, SlotAssignment } from "./slots/slot-assignment.ts";
import { roleOf, takesTurns } from "./slots/turns.ts";

/** A page with rows of one queue tells nothing about the other. */
const PAGE = 50;

const VISIBLE = `c.visibleAt <= @now AND ${UNLOCKED}`;

interface Sleeper {
  readonly type: QueueName;
  readonly candidates: Pick<Candidates<unknown, Row>, "isIdle" | "rest" | "wake">;
  readonly part: Part;
  readonly waiting: { notify(): void };
}

export interface QuietLookSettings {
  readonly slots: Pick<SlotAssignment, "team">;
  readonly pollIntervalMs: PollLimits;
}

export class QuietLook {
  readonly #service: Service;
  readonly #settings: QuietLookSettings;
  readonly #cursors: RangeCursors<string>;
  readonly #sleepers: Sleeper[] = [];
  /** The result of the query under way. */
  #found = new Set<string>();
  /** Physical partitions of which this process has the turn. */
  #firstIn = new Set<string>();
  #looking: Promise<void> | undefined;

  constructor(service: Service, stop: AbortSignal, settings: QuietLookSettings) {
    this.#service = service;
    this.#settings = settings;
    const onPage = (page: RangePage<string>, isLate: boolean): void => this.#take(page, isLate);
    this.#cursors = new RangeCursors({ service, stop, limit: PAGE, onPage });
  }

  add(sleeper: Sleeper): void {
    this.#sleepers.push(sleeper);
  }

  /** Sets the time of the next query of every idle queue: now, or after its interval. */
  look(call: Call): Promise<void> {
    this.#looking ??= this.#look(call).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(call: Call): Promise<void> {
    const { slots, pollIntervalMs } = this.#settings;
    // A busy queue sends its own queries. An answer here would count as a look beyond its slots.
    const sleepers = this.#sleepers.filter(({ candidates }) => candidates.isIdle);
    this.#found = new Set();
    this.#firstIn = new Set();
    this.#cursors.restart();
    const team = slots.team();
    const own = this.#question(sleepers, (part, name) => part.condition(name));
    const whole = this.#question(sleepers, () => EVERYTHING);
    const interval = Math.floor(this.#service.clock.now() / pollIntervalMs.max);
    const question = (range: string, ranges: number): SqlQuerySpec | undefined => {
      const role = roleOf(team, range, ranges, interval);
      if (role === "first") this.#firstIn.add(range);
      if (role === "none") return undefined;
      return role === "first" ? whole : own;
    };
    await this.#cursors.ask(call, question, { which: "all", waitsForAll: false });
    // Processes that take turns query at the same time, so that each partition gets one query in each interval.
    const untilMs = takesTurns(team, this.#cursors.ranges) ? (interval + 1) * pollIntervalMs.max : undefined;
    for (const sleeper of sleepers) {
      if (!sleeper.candidates.isIdle) continue;
      if (this.#found.has(sleeper.type)) wake(sleeper);
      else sleeper.candidates.rest(untilMs);
    }
  }

  /** A full or short page tells nothing about the rows behind it. */
  #take({ range, results, hasMore }: RangePage<string>, isLate: boolean): void {
    const found = new Set(hasMore ? this.#sleepers.map(({ type }) => type) : results);
    for (const type of found) this.#found.add(type);
    for (const sleeper of this.#sleepers) {
      if (!found.has(sleeper.type) || !sleeper.candidates.isIdle) continue;
      if (this.#firstIn.has(range)) sleeper.part.open(range);
      if (isLate) wake(sleeper);
    }
  }

  #question(
    sleepers: readonly Sleeper[],
    conditionOf: (part: Part, name: string) => PartCondition,
  ): SqlQuerySpec {
    const parts = sleepers.map(({ type, part }, index) => ({ type, ...conditionOf(part, String(index)) }));
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
