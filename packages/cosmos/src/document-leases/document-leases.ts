/**
 * Leases on the documents of any container: a document has one holder at a time, for a limited time, and only the
 * holder can update it through the lease. `by-procedure.ts` and `by-batch.ts` write the leases.
 *
 * - document-leases.DL1: The facts of the container are read once. A read that failed is not kept, so that a later call
 *   may succeed.
 * - document-leases.DL2: After procedures were refused for good, no call tries them again: each attempt would cost a
 *   request.
 */
import type { Container, PartitionKey, PatchOperation } from "@azure/cosmos";
import { ProviderError } from "@duroxide-ts/core";
import { type OptionList, optionFault, optionList } from "@duroxide-ts/core/stores";
import type { Deadline } from "../service/call.ts";
import {
  checkChanges,
  checkDocumentId,
  checkHolder,
  checkLimit,
  checkState,
  checkWrite,
  type DocumentState,
  type WriteOptions,
} from "./arguments.ts";
import { ByBatch } from "./by-batch.ts";
import { ByProcedure } from "./by-procedure.ts";
import { type ContainerFacts, hasPartitionKeyOf, partitionKeyAt, readFacts } from "./container-facts.ts";
import type { DocumentAddress, LeasableDocument, Lease } from "./lease.ts";
import { heldUnder } from "./lease-queries.ts";
import { LeaseRequests } from "./lease-requests.ts";
import type { LeaseChange, Leasing } from "./leasing.ts";
import type { LeaseAnswer } from "./procedures/answers.ts";
import { InstalledProcedures, NoProcedures } from "./procedures/installed.ts";
import { lostLease, refusal, toLease } from "./refusals.ts";
import { type DocumentLeasesOptions, invalid, type LeaseSettings, toLeaseSettings } from "./settings.ts";
import { stepAside } from "./step-aside.ts";
import { type LeftLease, readLease } from "./stored-lease.ts";

/** The options of `nextForState`. */
export interface NextOptions {
  /** Limit, from 1 to 1,000. */
  readonly limit: number;
  /** The name of the holder; no two processes may use the same name. */
  readonly holder: string;
  /** Searches this partition only, which costs less. Without it all partitions are searched. */
  readonly partitionKey?: PartitionKey;
}

const NEXT_OPTIONS: OptionList = optionList<NextOptions>({ limit: true, holder: true, partitionKey: true });

/** How leases are written, see `prepare`. */
export type LeaseMethod = "procedures" | "batches";

/**
 * Leases on the documents of a container. Every method rejects with a DocumentLeaseError if a lease is refused, and
 * with a ProviderError for invalid arguments (`invalid-input`) and failures of the service (`unavailable` if a retry
 * may succeed).
 */
export class DocumentLeases {
  readonly #container: Container;
  readonly #settings: LeaseSettings;
  readonly #requests: LeaseRequests;
  #ways: Promise<Ways> | undefined;
  #usesProcedures: boolean;

  private constructor(container: Container, settings: LeaseSettings) {
    this.#container = container;
    this.#settings = settings;
    this.#requests = new LeaseRequests(container, settings);
    this.#usesProcedures = settings.procedures !== "never";
  }

  /**
   * Leases for the documents of a container, through its client. Sends nothing yet. Throws `invalid-input` for invalid
   * options.
   */
  static on(container: Container, options: DocumentLeasesOptions = {}): DocumentLeases {
    return new DocumentLeases(container, toLeaseSettings(options));
  }

  /**
   * Checks the account and the container, installs the procedures, and resolves to how leases will be written. The
   * first use does this by itself. Rejects with `cannot-open` if leases would not be safe, or if procedures are
   * required and not available.
   */
  async prepare(): Promise<LeaseMethod> {
    const call = this.#call("prepare");
    await this.#using(call, (leasing) => leasing.prepare(call));
    return this.#usesProcedures ? "procedures" : "batches";
  }

  /**
   * Leases a document, or renews the lease if this holder has it already. Rejects with `held` if another holder has a
   * lease that has not expired, with `document-not-found`, or with `malformed-lease`.
   */
  async acquire<T = LeasableDocument>(document: DocumentAddress, holder: string): Promise<Lease<T>> {
    const { answer, sinceMs, partitionKey } = await this.#change("acquire", document, holder);
    return toLease<T>(this.#settings, { document: answer.document, partitionKey, sinceMs });
  }

  /**
   * Releases a lease before it expires. Rejects with `held` if another holder has a lease that has not expired, and
   * with `not-held` if there is no other lease, or an expired one.
   */
  async break(document: DocumentAddress, holder: string): Promise<void> {
    await this.#change("break", document, holder);
  }

  /**
   * Leases the next documents that are in a state and have no lease, or an expired one; at most `limit`. Empty if there
   * are none. Documents with a malformed lease are skipped.
   */
  async nextForState<T = LeasableDocument>(
    state: DocumentState,
    options: NextOptions,
  ): Promise<readonly Lease<T>[]> {
    const operation = "nextForState";
    const fault = optionFault("the second argument", options ?? null, NEXT_OPTIONS);
    if (fault !== undefined) throw invalid(operation, fault);
    const { limit, holder, partitionKey } = options;
    checkState(operation, state);
    checkLimit(operation, limit);
    checkHolder(operation, holder);
    const call = this.#call(operation);
    const search = { state, limit, holder, partitionKey };
    const taken = await this.#using(call, (leasing) => leasing.next(call, search));
    return taken.map((each) => toLease<T>(this.#settings, each));
  }

  /**
   * Sets top-level properties of a document, in one write that fails unless the document still has the lease, and
   * resolves to the document after the write. With `giveBack` the same write ends the lease. An expired lease is still
   * accepted if no other holder took the document over. Rejects with `not-held` if it was taken over or broken.
   */
  async update<T = LeasableDocument>(
    lease: Lease<T>,
    changes: Readonly<Record<string, unknown>>,
    options: WriteOptions = {},
  ): Promise<T> {
    checkWrite("update", changes, options);
    const { giveBack = false } = options;
    const { token } = lease;
    const { leaseProperty } = this.#settings;
    const call = this.#call("update");
    const { facts } = await this.#waysOf(call);
    checkChanges(changes, [leaseProperty, "id", ...facts.partitionKeyPaths.map(([name = ""]) => name)]);
    const left: LeftLease = { token, attempt: this.#settings.random.uuid() };
    const values = giveBack ? { ...changes, [leaseProperty]: left } : changes;
    const operations = Object.entries(values).map(([name, value]) => toSet(name, value));
    if (operations.length === 0)
      throw invalid("update", "there is nothing to change; give properties, or giveBack");
    const written = await this.#patch(call, lease, operations, left);
    return written.document as unknown as T;
  }

  /**
   * Saves a whole document, in a write that fails unless the stored document still has the lease, and resolves to it.
   * The lease property of `document` does not count: the lease stays, or with `giveBack` the same write ends it.
   * Rejects as `update` does.
   */
  async replace<T extends { readonly id: string } = LeasableDocument>(
    lease: Lease<T>,
    document: T,
    options: WriteOptions = {},
  ): Promise<T> {
    const operation = "replace";
    checkWrite(operation, document, options);
    const { giveBack = false } = options;
    const { id, partitionKey, token } = lease;
    const { leaseProperty, clock, random } = this.#settings;
    if (document?.id !== id)
      throw invalid(operation, `the document must have the id of its lease, ${JSON.stringify(id)}`);
    const call = this.#call(operation);
    const { facts } = await this.#waysOf(call);
    if (!hasPartitionKeyOf(facts, lease.document, document))
      throw invalid(
        operation,
        "the document must have the partition key that it has; delete it and create another",
      );
    const left: LeftLease = { token, attempt: random.uuid() };
    for (let isRepeated = false; ; ) {
      // Proves the lease, and tells the ETag and the lease that the document has now.
      const touch: PatchOperation = { op: "set", path: `/${leaseProperty}/attempt`, value: random.uuid() };
      const touched = await this.#patch(call, lease, [touch], left, isRepeated);
      if (touched.isDone) return touched.document as unknown as T;
      const kept = touched.document[leaseProperty];
      const body: LeasableDocument = { ...document, [leaseProperty]: giveBack ? left : kept };
      const etag = String(touched.document["_etag"]);
      const { value, repeated } = await this.#requests.replace(call, partitionKey, body, etag);
      if (value.ok) return value.value as unknown as T;
      isRepeated ||= repeated;
      if (clock.now() >= call.untilMs) throw tooBusy(operation, id);
      await stepAside(this.#settings);
    }
  }

  /**
   * Patches the document if it still has the lease. `isDone`: a first attempt, whose response was lost, has given the
   * lease back as `left`.
   */
  async #patch(
    call: Deadline,
    lease: Lease<unknown>,
    operations: readonly PatchOperation[],
    left: LeftLease,
    wasRepeated = false,
  ): Promise<{ readonly document: LeasableDocument; readonly isDone: boolean }> {
    const { id, partitionKey, holder, token } = lease;
    const condition = heldUnder(this.#settings, holder, token);
    const patch = { condition, operations: [...operations] };
    const { value, repeated } = await this.#requests.patch(call, id, partitionKey, patch);
    if (value.ok) return { document: value.value, isDone: false };
    const { byBatch } = await this.#waysOf(call);
    const row = await byBatch.readRow(call, id, partitionKey);
    const stored = readLease(row?.document[this.#settings.leaseProperty]);
    const mayBeDone = repeated || wasRepeated;
    const isDone = mayBeDone && stored.kind === "left" && stored.lease.attempt === left.attempt;
    if (isDone && row !== undefined) return { document: row.document, isDone };
    throw lostLease(lease, row === undefined ? undefined : stored, mayBeDone);
  }

  /** Retries while other programs write the same document, until the change is stored or refused. */
  async #change(
    action: "acquire" | "break",
    document: DocumentAddress,
    holder: string,
  ): Promise<{ readonly answer: Done; readonly sinceMs: number; readonly partitionKey: PartitionKey }> {
    const id = checkDocumentId(action, typeof document === "string" ? document : document?.id);
    checkHolder(action, holder);
    const call = this.#call(action);
    const { clock, random } = this.#settings;
    const { facts } = await this.#waysOf(call);
    const partitionKey = partitionKeyAt(facts, this.#settings, action, document);
    const change: LeaseChange = { action, id, partitionKey, holder, attempt: random.uuid() };
    for (;;) {
      const sinceMs = clock.now();
      const answer = await this.#using(call, (leasing) => leasing.change(call, change));
      if (answer.outcome === "done") return { answer, sinceMs, partitionKey };
      if (answer.outcome !== "busy") throw refusal(this.#settings, change, answer);
      if (clock.now() >= call.untilMs) throw tooBusy(action, id);
      await stepAside(this.#settings);
    }
  }

  #call(operation: string): Deadline {
    return this.#requests.call(operation, this.#settings.timeoutMs);
  }

  /** Falls back to batches if procedures are not available, unless they are required. */
  async #using<T>(call: Deadline, work: (leasing: Leasing) => Promise<T>): Promise<T> {
    const { byBatch, byProcedure } = await this.#waysOf(call);
    if (!this.#usesProcedures) return work(byBatch);
    try {
      return await work(byProcedure);
    } catch (error) {
      if (!(error instanceof NoProcedures) || this.#settings.procedures === "required") throw error;
      const isNews = this.#usesProcedures;
      if (error.isLasting) this.#usesProcedures = false;
      if (isNews) this.#settings.onWarning(`leases are written by batches: ${error.detail}`);
      return work(byBatch);
    }
  }

  #waysOf(call: Deadline): Promise<Ways> {
    this.#ways ??= this.#findWays(call).catch((error: unknown) => {
      this.#ways = undefined;
      throw error;
    });
    return this.#ways;
  }

  async #findWays(call: Deadline): Promise<Ways> {
    const container = this.#container;
    const settings = this.#settings;
    const requests = this.#requests;
    const facts = await readFacts(container, settings, call);
    const installed = new InstalledProcedures(container, settings, settings.onWarning, {
      requests,
      partitionKeyPaths: facts.partitionKeyPaths,
    });
    return {
      facts,
      byBatch: new ByBatch(requests, settings, facts),
      byProcedure: new ByProcedure(requests, settings, facts, installed),
    };
  }
}

type Done = Extract<LeaseAnswer, { readonly outcome: "done" }>;

/** The facts of the container, and the two ways to write leases in it. */
interface Ways {
  readonly facts: ContainerFacts;
  readonly byBatch: ByBatch;
  readonly byProcedure: ByProcedure;
}

function toSet(name: string, value: unknown): PatchOperation {
  return { op: "set", path: `/${name}`, value };
}

function tooBusy(operation: string, id: string): ProviderError {
  return new ProviderError({
    code: "unavailable",
    operation,
    message: `other programs keep writing the document ${JSON.stringify(id)}; try again later`,
  });
}
