/** The lists of candidates of one queue. A candidate that one caller does not accept stays for others. */
import type { SqlQuerySpec } from "@azure/cosmos";
import type { Parts } from "../memory/parts.ts";
import { type CandidateRow, Candidates, type CandidatesOptions } from "./candidates.ts";
import { alone, type Members, type QueueName } from "./membership/members.ts";
import type { Searches } from "./searches.ts";

export interface QueueOptions<Found, T extends CandidateRow>
  extends Pick<CandidatesOptions<Found, T>, "rowOf" | "isNews" | "toCandidates" | "sort" | "asksAll"> {
  readonly queue: QueueName;
  readonly waiting: { notify(): void };
}

/** The caller. */
export interface Caller {
  /** Equal for callers that accept the same work. */
  readonly asks: string;
  readonly pollTimeoutMs: number;
}

export class CandidateLists<Found, T extends CandidateRow> {
  readonly #parts: Parts;
  readonly #searches: Searches;
  readonly #options: QueueOptions<Found, T>;
  readonly #lists = new Map<string, Candidates<Found, T>>();

  constructor(parts: Parts, searches: Searches, options: QueueOptions<Found, T>) {
    this.#parts = parts;
    this.#searches = searches;
    this.#options = options;
  }

  /** `spec` is the query, the same object for callers that accept the same work. */
  listFor({ asks, pollTimeoutMs }: Caller, spec: () => SqlQuerySpec): Candidates<Found, T> {
    const waits = pollTimeoutMs > 0;
    const key = JSON.stringify([asks, waits]);
    const list = this.#lists.get(key) ?? this.#newList(asks, waits, spec);
    this.#lists.set(key, list);
    return list;
  }

  #newList(asks: string, waits: boolean, spec: () => SqlQuerySpec): Candidates<Found, T> {
    const { settings, idlePoll, stop } = this.#searches;
    const { queue, waiting, ...row } = this.#options;
    // A caller that does not wait leaves nothing to other processes.
    const members: Members = waits ? settings.members : alone;
    const group = { queue, asks };
    const candidates = new Candidates<Found, T>({
      ...row,
      parts: this.#parts,
      limits: settings.pollIntervalMs,
      members,
      group,
      stop,
      spec,
      onLate: () => waiting.notify(),
    });
    if (waits) idlePoll.add({ group, candidates, waiting });
    return candidates;
  }
}
