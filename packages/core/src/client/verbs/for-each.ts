/**
 * A verb for all instances that match a filter, a page at a time. A page is begun only when the one before it is done,
 * so a program that ends can go on after the last page that it has reported.
 */
import type { ProviderAdmin } from "../../contract/admin.ts";
import type { InstanceQueryFilter } from "../../contract/queries.ts";
import { checkInstanceQueryFilter } from "../../contract/query-arguments.ts";
import { DuroxideError, InvalidInputError } from "../../errors/duroxide-error.ts";
import { functionFault, methodsFault, textFault, wholeNumberFault } from "../../options/option-kinds.ts";
import { checkOptions, type OptionList, optionList } from "../../options/option-list.ts";

/** What is done to an instance, such as `(id) => admin.retry(id, { by: "ada" })`. */
export type BulkVerb = (instanceId: string) => Promise<unknown>;

/** The options of `Admin.forEach`. */
export interface ForEachOptions {
  /** How many instances are changed at the same time; 8 by default. */
  readonly concurrency?: number;
  /** Called after each page. */
  readonly onProgress?: (progress: ForEachProgress) => void;
  /** Ends after what is under way; the result has `after`. */
  readonly signal?: AbortSignal;
  /** `after` of an earlier call with the same filter, which it goes on with. */
  readonly after?: string;
}

/** How far a verb has come. */
export interface ForEachProgress {
  /** Instances for which it was done. */
  readonly done: number;
  /** Instances that do not allow it, such as one that has ended meanwhile. */
  readonly refused: number;
  /** Instances for which it failed. */
  readonly failed: number;
  /** Where to go on; absent at the end. */
  readonly after?: string;
}

/** The result of `Admin.forEach`. */
export interface ForEachResult extends ForEachProgress {
  /** The first hundred that were refused or failed. */
  readonly errors: readonly { readonly instanceId: string; readonly error: unknown }[];
}

const OPTIONS: OptionList = optionList<ForEachOptions>({
  concurrency: true,
  onProgress: true,
  signal: true,
  after: true,
});
const DEFAULT_CONCURRENCY = 8;
const PAGE = 100;
const MOST_ERRORS = 100;

export async function forEachInstance(
  admin: ProviderAdmin,
  filter: InstanceQueryFilter,
  verb: BulkVerb,
  options: ForEachOptions,
): Promise<ForEachResult> {
  check(filter, verb, options);
  const { concurrency = DEFAULT_CONCURRENCY, onProgress, signal } = options;
  const tally = new Tally();
  const isStopped = (): boolean => signal?.aborted === true;
  let { after } = options;
  do {
    if (isStopped()) return tally.result(after);
    const page = await readPage(admin, filter, after);
    const ids = page.instanceIds.values();
    const slots = Array.from({ length: concurrency }, () => tally.apply(verb, ids, signal));
    await Promise.all(slots);
    // A page that was not done to its end is begun again.
    if (isStopped()) return tally.result(after);
    after = page.continuation;
    onProgress?.(tally.progress(after));
  } while (after !== undefined);
  return tally.result(undefined);
}

class Tally {
  readonly #errors: { readonly instanceId: string; readonly error: unknown }[] = [];
  #done = 0;
  #refused = 0;
  #failed = 0;

  /** Several of these take the ids from one list. */
  async apply(verb: BulkVerb, ids: Iterator<string>, signal: AbortSignal | undefined): Promise<void> {
    for (let next = ids.next(); next.done !== true; next = ids.next()) {
      const instanceId = next.value;
      try {
        await verb(instanceId);
        this.#done++;
      } catch (error) {
        if (DuroxideError.is(error, "refused")) this.#refused++;
        else this.#failed++;
        if (this.#errors.length < MOST_ERRORS) this.#errors.push({ instanceId, error });
      }
      if (signal?.aborted === true) return;
    }
  }

  progress(after: string | undefined): ForEachProgress {
    const counts = { done: this.#done, refused: this.#refused, failed: this.#failed };
    return { ...counts, ...(after !== undefined && { after }) };
  }

  result(after: string | undefined): ForEachResult {
    return { ...this.progress(after), errors: this.#errors };
  }
}

interface Page {
  readonly instanceIds: readonly string[];
  readonly continuation?: string;
}

/** Newest first, so that instances that begin meanwhile do not make it endless. */
async function readPage(
  admin: ProviderAdmin,
  filter: InstanceQueryFilter,
  after: string | undefined,
): Promise<Page> {
  const place = { limit: PAGE, ...(after !== undefined && { continuation: after }) };
  if (admin.queries === undefined) return admin.listInstances({ ...onlyStatus(filter), ...place });
  const { instances, continuation } = await admin.queries.queryInstances({ filter, ...place });
  const instanceIds = instances.map(({ instanceId }) => instanceId);
  return { instanceIds, ...(continuation !== undefined && { continuation }) };
}

/** All that a store without queries can filter by. */
function onlyStatus(filter: InstanceQueryFilter): { readonly status?: "Running" | "Completed" | "Failed" } {
  const { status, ...others } = filter;
  const [only] = status ?? [];
  const isOther = Object.values(others).some((value) => value !== undefined);
  if (isOther || (status !== undefined && status.length !== 1) || only === "ContinuedAsNew") {
    throw new InvalidInputError(
      "admin.forEach: the store has no queries, so the filter can name one status and nothing else",
    );
  }
  return only === undefined ? {} : { status: only };
}

function check(filter: InstanceQueryFilter, verb: BulkVerb, options: ForEachOptions): void {
  const where = "admin.forEach";
  checkInstanceQueryFilter("forEach", filter);
  checkOptions(where, options, OPTIONS);
  const { concurrency, onProgress, signal, after } = options;
  const fault =
    functionFault(`${where}: the verb`, verb ?? null) ??
    wholeNumberFault(`${where}: concurrency`, concurrency, 1) ??
    functionFault(`${where}: onProgress`, onProgress) ??
    methodsFault(`${where}: signal`, signal, ["addEventListener"]) ??
    textFault(`${where}: after`, after);
  if (fault !== undefined) throw new InvalidInputError(fault);
}
