/**
 * Leases without stored procedures: reads the stored lease together with the server's time, and replaces it on
 * condition that it is unchanged, so that one of two concurrent attempts succeeds.
 */
import type { OperationInput, PartitionKey, SqlQuerySpec } from "@azure/cosmos";
import { messageOf } from "@duroxide-ts/core/stores";
import { MAX_BATCH_BYTES, MAX_OPERATIONS } from "../service/batch.ts";
import type { Deadline } from "../service/call.ts";
import { splitBySize } from "../service/split.ts";
import type { DocumentState } from "./arguments.ts";
import type { ContainerFacts } from "./container-facts.ts";
import type { LeasableDocument } from "./lease.ts";
import { documentById, type LeasableRow, leasedBy, nextAmong, unchangedSince } from "./lease-queries.ts";
import type { LeaseRequests } from "./lease-requests.ts";
import type { LeaseChange, Leasing, NextSearch, Taken } from "./leasing.ts";
import type { LeaseAnswer } from "./procedures/answers.ts";
import type { LeaseSettings } from "./settings.ts";
import { decide, isFree, type LeftLease, nextLease, readLease, type StoredLease } from "./stored-lease.ts";
import { type Group, type GroupOutcome, takeAcross } from "./take-across.ts";

/** The most attempts of a batch that conflicts with other writers; the documents are then left to them. */
const MOST_TRIES = 3;

export class ByBatch implements Leasing {
  readonly #requests: LeaseRequests;
  readonly #settings: LeaseSettings;
  readonly #facts: ContainerFacts;

  constructor(requests: LeaseRequests, settings: LeaseSettings, facts: ContainerFacts) {
    this.#requests = requests;
    this.#settings = settings;
    this.#facts = facts;
  }

  async prepare(): Promise<void> {}

  async change(call: Deadline, change: LeaseChange): Promise<LeaseAnswer> {
    const { id, partitionKey, action, holder, attempt } = change;
    const row = await this.readRow(call, id, partitionKey);
    if (row === undefined) return { outcome: "missing" };
    const { document, nowMs } = row;
    const stored = readLease(document[this.#settings.leaseProperty]);
    const claim = { holder, durationMs: this.#settings.leaseMs, attempt };
    const decision = decide(action, stored, nowMs, claim);
    if ("lease" in decision) return this.#write(call, change, { document, stored, lease: decision.lease });
    const { outcome } = decision;
    if (outcome === "held") return { outcome, document, nowMs };
    return outcome === "done" ? { outcome, document } : { outcome };
  }

  next(call: Deadline, search: NextSearch): Promise<readonly Taken[]> {
    const take = (group: Group): Promise<GroupOutcome> => this.#takeGroup(call, search, group);
    return takeAcross(this.#requests, this.#settings, this.#facts, call, search, take);
  }

  /** Reads the document and the server's time. */
  async readRow(call: Deadline, id: string, partitionKey: PartitionKey): Promise<LeasableRow | undefined> {
    let continuation: string | undefined;
    do {
      const page = await this.#requests.query<LeasableRow>(
        call,
        { partitionKey },
        documentById(id),
        1,
        continuation,
      );
      if (page.rows[0] !== undefined) return page.rows[0];
      continuation = page.continuation;
    } while (continuation !== undefined);
    return undefined;
  }

  async #write(call: Deadline, { partitionKey }: LeaseChange, claim: Claimed): Promise<LeaseAnswer> {
    const { value } = await this.#requests.batch(call, partitionKey, [this.#patch(claim, undefined)]);
    const [document] = value ?? [];
    return document === undefined ? { outcome: "busy" } : { outcome: "done", document };
  }

  async #takeGroup(call: Deadline, search: NextSearch, { partitionKey, rows }: Group): Promise<GroupOutcome> {
    const taken: Taken[] = [];
    let missed = false;
    for (const some of splitBySize(rows, returnedBytes, MOST_IN_BATCH)) {
      try {
        const got = await this.#takeTogether(call, search, partitionKey, some);
        taken.push(...got);
        if (got.length < some.length) missed = true;
      } catch (error) {
        if (taken.length === 0) throw error;
        this.#settings.onWarning(`fewer documents were leased than there may be: ${messageOf(error)}`);
        return { taken, missed: true };
      }
    }
    return { taken, missed };
  }

  /** One concurrent write fails the whole batch; the documents that are still free are then queried. */
  async #takeTogether(
    call: Deadline,
    search: NextSearch,
    partitionKey: PartitionKey,
    rows: readonly LeasableRow[],
  ): Promise<readonly Taken[]> {
    let left: readonly LeasableRow[] = rows.filter((row) => this.#isFree(row));
    for (let tries = 0; tries < MOST_TRIES && left.length > 0; tries++) {
      const got = await this.#takeAll(call, search, partitionKey, left);
      if (got.length > 0 || left.length === 1) return got;
      left = await this.#stillFree(call, search, partitionKey, left);
    }
    return [];
  }

  async #takeAll(
    call: Deadline,
    { holder, state }: NextSearch,
    partitionKey: PartitionKey,
    rows: readonly LeasableRow[],
  ): Promise<readonly Taken[]> {
    const { clock, random } = this.#settings;
    const sinceMs = clock.now();
    const attempt = random.uuid();
    const claim = { holder, durationMs: this.#settings.leaseMs, attempt };
    const operations = rows.map(({ document, nowMs }) => {
      const stored = readLease(document[this.#settings.leaseProperty]);
      return this.#patch({ document, stored, lease: nextLease(stored, nowMs, claim) }, state);
    });
    const { value, repeated } = await this.#requests.batch(call, partitionKey, operations);
    if (value !== undefined) return value.map((document) => ({ document, partitionKey, sinceMs }));
    if (!repeated) return [];
    // This attempt may have conflicted with the first one, whose response was lost.
    const mine = await this.#allRows(call, partitionKey, leasedBy(this.#settings, attempt), rows.length);
    return mine.map(({ document }) => ({ document, partitionKey, sinceMs }));
  }

  async #stillFree(
    call: Deadline,
    search: NextSearch,
    partitionKey: PartitionKey,
    rows: readonly LeasableRow[],
  ): Promise<readonly LeasableRow[]> {
    const ids = rows.map(({ document }) => document.id);
    const query = nextAmong(this.#settings, search.state, ids);
    const free = await this.#allRows(call, partitionKey, query, rows.length);
    return free.filter((row) => this.#isFree(row));
  }

  async #allRows(
    call: Deadline,
    partitionKey: PartitionKey,
    query: SqlQuerySpec,
    most: number,
  ): Promise<readonly LeasableRow[]> {
    const rows: LeasableRow[] = [];
    let continuation: string | undefined;
    do {
      const page = await this.#requests.query<LeasableRow>(call, { partitionKey }, query, most, continuation);
      rows.push(...page.rows);
      continuation = page.continuation;
    } while (continuation !== undefined);
    return rows;
  }

  #isFree({ document, nowMs }: LeasableRow): boolean {
    return isFree(readLease(document[this.#settings.leaseProperty]), nowMs);
  }

  #patch({ document: { id }, stored, lease }: Claimed, state: DocumentState | undefined): OperationInput {
    const path = `/${this.#settings.leaseProperty}`;
    const condition = unchangedSince(this.#settings, stored, state);
    const operations = [{ op: "set" as const, path, value: lease }];
    return { operationType: "Patch", id, resourceBody: { condition, operations } };
  }
}

/** The new lease and the batch's own fields of a document in the response. */
const ADDED_BYTES = 500;
/** A batch returns the documents, and its response has the same limit as its request. */
const MOST_IN_BATCH = { count: MAX_OPERATIONS, bytes: MAX_BATCH_BYTES };

function returnedBytes({ document }: LeasableRow): number {
  return ADDED_BYTES + Buffer.byteLength(JSON.stringify(document));
}

/** A document, its stored lease, and its next lease. */
interface Claimed {
  readonly document: LeasableDocument;
  readonly stored: StoredLease;
  readonly lease: LeftLease;
}
