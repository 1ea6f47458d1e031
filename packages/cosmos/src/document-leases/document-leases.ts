/**
 * Leases on the documents of anyone's container: a document has one holder at a time, for a time, and only the holder
 * can update it through the lease. How leases are written is left to `by-procedure.ts` and `by-batch.ts`.
 */
import type { Container, PartitionKey, PatchOperation } from "@azure/cosmos";
import { ProviderError } from "@duroxide-ts/core";
import { type OptionList, optionFault, optionList } from "@duroxide-ts/core/stores";
import type { Patience } from "../service/call.ts";
import {
  checkChanges,
  checkDocumentId,
  checkHolder,
  checkLimit,
  checkState,
  type DocumentState,
} from "./arguments.ts";
import { ByBatch } from "./by-batch.ts";
import { ByProcedure } from "./by-procedure.ts";
import { type ContainerFacts, partitionKeyAt, readFacts } from "./container-facts.ts";
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

/** What `nextForState` is to lease. */
export interface NextOptions {
  /** From 1 to 1,000. */
  readonly limit: number;
  /** Who leases; no two processes may use the same name. */
  readonly holder: string;
  /** Looks in this partition only, which costs less. Without it all are looked through. */
  readonly partitionKey?: PartitionKey;
}

const NEXT_OPTIONS: OptionList = optionList<NextOptions>({ limit: true, holder: true, partitionKey: true });

/** How leases are written, see `prepare`. */
export type LeaseMethod = "procedures" | "batches";

/**
 * Leases on the documents of a container. Every method rejects with a DocumentLeaseError where a lease is refused, and
 * with a ProviderError for bad arguments (`invalid-input`) and for what the service cannot do (`unavailable` where the
 * same call may succeed later).
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
   * For the documents of a container, through the client that it belongs to. Sends nothing yet. Throws `invalid-input`
   * for options that make no sense.
   */
  static on(container: Container, options: DocumentLeasesOptions = {}): DocumentLeases {
    return new DocumentLeases(container, toLeaseSettings(options));
  }

  /**
   * Looks at the account and the container, installs the procedures, and says how leases will be written. The first use
   * does this by itself. Rejects with `cannot-open` where leases would not be safe, or where procedures are required and
   * not to be had.
   */
  async prepare(): Promise<LeaseMethod> {
    const call = this.#call("prepare");
    await this.#using(call, (leasing) => leasing.prepare(call));
    return this.#usesProcedures ? "procedures" : "batches";
  }

  /**
   * Leases a document, or renews the lease where this holder has it already. Rejects with `held` where somebody else
   * holds a lease that has not expired, with `document-not-found`, or with `malformed-lease`.
   */
  async acquire<T = LeasableDocument>(document: DocumentAddress, holder: string): Promise<Lease<T>> {
    const { answer, sinceMs, partitionKey } = await this.#change("acquire", document, holder);
    return toLease<T>(this.#settings, { document: answer.document, partitionKey, sinceMs });
  }

  /**
   * Gives a lease back before it expires. Rejects with `held` where somebody else holds one that has not expired, and
   * with `not-held` where nobody does, or somebody whose lease has expired.
   */
  async break(document: DocumentAddress, holder: string): Promise<void> {
    await this.#change("break", document, holder);
  }

  /**
   * Leases the next documents that are in a state and have no lease, or one that has expired; at most `limit`. Empty
   * where there are none. Documents with a malformed lease are passed over.
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
   * Sets properties at the top of a document, in one write that fails unless the lease is still that of the document,
   * and resolves to the document as it is then. With `giveBack` the same write ends the lease. A lease that has expired
   * and that nobody took over still serves. Rejects with `not-held` where it was taken over or broken.
   */
  async update<T = LeasableDocument>(
    lease: Lease<T>,
    changes: Readonly<Record<string, unknown>>,
    { giveBack = false }: { readonly giveBack?: boolean } = {},
  ): Promise<T> {
    const { id, partitionKey, holder, token } = lease;
    const { leaseProperty } = this.#settings;
    const call = this.#call("update");
    const { facts, byBatch } = await this.#waysOf(call);
    checkChanges(changes, [leaseProperty, "id", ...facts.partitionKeyPaths.map(([name = ""]) => name)]);
    const left: LeftLease = { token, attempt: this.#settings.random.uuid() };
    const values = giveBack ? { ...changes, [leaseProperty]: left } : changes;
    const operations = Object.entries(values).map(([name, value]) => toSet(name, value));
    if (operations.length === 0)
      throw invalid("update", "there is nothing to change; give properties, or giveBack");
    const condition = heldUnder(this.#settings, holder, token);
    const { value, repeated } = await this.#requests.patch(call, id, partitionKey, { condition, operations });
    if (value.ok) return value.value as T;
    const row = await byBatch.readRow(call, id, partitionKey);
    const stored = readLease(row?.document[leaseProperty]);
    // A first attempt, whose answer was lost, has given the lease back.
    const isDone = repeated && stored.kind === "left" && stored.lease.attempt === left.attempt;
    if (isDone && row !== undefined) return row.document as unknown as T;
    throw lostLease(lease, row === undefined ? undefined : stored, repeated);
  }

  /** Ends when it is done or refused; while others write the same document it is tried again. */
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

  #call(operation: string): Patience {
    return this.#requests.call(operation, this.#settings.timeoutMs);
  }

  /** Where procedures are not to be had it goes on without them, unless they are required. */
  async #using<T>(call: Patience, work: (leasing: Leasing) => Promise<T>): Promise<T> {
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

  #waysOf(call: Patience): Promise<Ways> {
    this.#ways ??= this.#findWays(call).catch((error: unknown) => {
      this.#ways = undefined;
      throw error;
    });
    return this.#ways;
  }

  async #findWays(call: Patience): Promise<Ways> {
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

/** What is known of the container, and the two ways to write leases in it. */
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
    message: `others keep writing the document ${JSON.stringify(id)}; try again later`,
  });
}
