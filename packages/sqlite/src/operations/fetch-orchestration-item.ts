/**
 * Locks due instances for parked fetches and loads the input of their turns (docs/reference/provider-contract.md §6).
 * It runs inside the transaction of a flush: candidates, locks, tags and attempt counts are one atomic step, so a
 * failure leaves no lock.
 *
 * Candidates are found by an index over (pinned version, due time). The pinned versions in use are few, so they
 * are enumerated and compared exactly, and instances that no range admits cost nothing.
 */
import {
  type FetchedOrchestration,
  type FetchOrchestrationOptions,
  hasOrchestration,
  inRange,
  type VersionRange,
} from "@duroxide-ts/core/stores";
import type { EarlyTurns } from "../commit/early-turns.ts";
import type { DueTimes, Effects } from "../commit/effects.ts";
import type { Transaction } from "../commit/transaction.ts";
import type { Database } from "../connection/database.ts";
import type { FetchSource, Look, Served } from "../fetching/fetch-source.ts";
import { WITH_PINS } from "../fetching/pinned-versions.ts";
import { fromPin } from "../rows/codec.ts";
import { leftNames, namesKey } from "../rows/left-work.ts";
import { type DueInstance, lockInstance } from "../turn/lock-instance.ts";

const OPERATION = "fetchOrchestrationItem";

const PINS = `${WITH_PINS}
  SELECT pin FROM pins WHERE pin IS NOT NULL`;

const COLUMNS = `instance_key, instance_id, orchestration_name, orchestration_version, execution_id,
  last_event_id, history_tag, kv_layers, due_at, context_misses, blocked, blocked_since, status, completed_at,
  pinned_version, suspended_since, left_to`;

/** `LIMIT ? + 0`: with a plain parameter SQLite compiles the statement again for each call. */
const DUE = `SELECT ${COLUMNS} FROM instances WHERE pinned_version = ? AND due_at <= ? ORDER BY due_at, instance_key LIMIT ? + 0`;

/** Rows that are not due. Locked rows are due when their lock ends, so they are left out by their lock. */
const LEFT = `SELECT ${COLUMNS} FROM instances WHERE left_to = ? AND due_at > ? AND lock_token IS NULL
  ORDER BY due_at, instance_key LIMIT ? + 0`;

const IS_DUE = "SELECT 1 FROM instances WHERE pinned_version = ? AND due_at <= ? LIMIT 1";

const NEXT_DUE = "SELECT min(due_at) AS due_at FROM instances WHERE pinned_version = ? AND due_at > ?";

type Requests = readonly FetchOrchestrationOptions[];
type ServedTurn = Served<FetchedOrchestration>;

export class OrchestrationSource implements FetchSource<FetchOrchestrationOptions, FetchedOrchestration> {
  readonly operation: string = OPERATION;
  readonly #earlyTurns: EarlyTurns;

  constructor(earlyTurns: EarlyTurns) {
    this.#earlyTurns = earlyTurns;
  }

  groupOf({ supportedVersions, orchestrations, versions }: FetchOrchestrationOptions): string | undefined {
    if (supportedVersions?.length === 0) return undefined;
    const ranges = supportedVersions === undefined ? "any" : groupOfRanges(supportedVersions);
    return `${ranges} ${namesKey(orchestrations)} ${namesKey(versions)}`;
  }

  ownerOf(): string {
    return "";
  }

  peek(db: Database, nowMs: number, requests: Requests): Look<true> {
    const [first] = requests;
    const pins = pinsFor(db, first?.supportedVersions);
    const isDue =
      pins.some((pin) => db.get(IS_DUE, pin, nowMs) !== undefined) ||
      (first !== undefined && findLeft(db, nowMs, first, 1).length > 0);
    return { found: requests.map(() => (isDue ? true : undefined)), nothingLeft: !isDue };
  }

  take(tx: Transaction, requests: Requests): Look<ServedTurn> {
    const found: ServedTurn[] = [];
    for (;;) {
      const wanted = requests.slice(found.length);
      const first = wanted[0];
      if (first === undefined) return { found, nothingLeft: false };
      const due = findDue(tx, first, wanted.length);
      for (const instance of due) {
        const request = requests[found.length];
        const served =
          request === undefined ? undefined : lockInstance(tx, instance, request, this.#earlyTurns);
        if (served !== undefined) found.push(served);
      }
      // Instances without messages to process are not due any more, and those of other names are left, so this loop
      // ends.
      if (due.length < wanted.length) return { found, nothingLeft: true };
    }
  }

  dueTimes(effects: Effects): DueTimes {
    return effects.orchestrations;
  }

  nextDueMs(db: Database, nowMs: number): number {
    const times = pinsFor(db, undefined).map(
      (pin) => db.get<{ due_at: number | null }>(NEXT_DUE, pin, nowMs)?.due_at ?? Number.POSITIVE_INFINITY,
    );
    return Math.min(...times);
  }
}

const groups = new WeakMap<readonly VersionRange[], string>();

/** A runtime passes the same ranges again and again. */
function groupOfRanges(ranges: readonly VersionRange[]): string {
  const known = groups.get(ranges);
  if (known !== undefined) return known;
  const group = JSON.stringify(ranges);
  groups.set(ranges, group);
  return group;
}

/** Oldest first; those that other fetches have left to this one come last. */
function findDue(tx: Transaction, request: FetchOrchestrationOptions, limit: number): DueInstance[] {
  const pins = pinsFor(tx.db, request.supportedVersions);
  const due = pins.flatMap((pin) => tx.db.all<DueInstance>(DUE, pin, tx.nowMs, limit));
  if (pins.length > 1) due.sort((a, b) => a.due_at - b.due_at || a.instance_key - b.instance_key);
  return (due.length < limit ? [...due, ...findLeft(tx.db, tx.nowMs, request, limit)] : due).slice(0, limit);
}

/** Instances that are not due, and whose code the caller has while an earlier fetch had not. */
function findLeft(
  db: Database,
  nowMs: number,
  request: FetchOrchestrationOptions,
  limit: number,
): readonly DueInstance[] {
  return leftNames(db, "instances", (name) => hasOrchestration(request, name))
    .flatMap((name) => db.all<DueInstance>(LEFT, name, nowMs, limit))
    .filter(({ pinned_version: pin }) => admits(request.supportedVersions, pin));
}

/** Every runtime supports an execution without a pinned version. */
function pinsFor(db: Database, ranges: readonly VersionRange[] | undefined): string[] {
  return db.all<{ pin: string }>(PINS).flatMap(({ pin }) => (admits(ranges, pin) ? [pin] : []));
}

function admits(ranges: readonly VersionRange[] | undefined, pin: string): boolean {
  if (ranges === undefined) return true;
  const version = fromPin(pin);
  return version === undefined || ranges.some((range) => inRange(version, range));
}
