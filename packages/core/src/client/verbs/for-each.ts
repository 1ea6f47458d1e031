/**
 * Applies a verb to all instances that match a filter, a page at a time. A page begins only when the one before it is
 * done, so a program that ends can continue after the last page that it has reported.
 */
import type { ProviderAdmin } from "../../contract/admin.ts";
import type { InstanceFilter } from "../../contract/queries.ts";
import { DuroxideError, InvalidInputError } from "../../errors/duroxide-error.ts";
import { functionFault, methodsFault, textFault, wholeNumberFault } from "../../options/option-kinds.ts";
import { checkOptions, type OptionList, optionList } from "../../options/option-list.ts";

/** The call for each instance, such as `(id) => admin.retry(id, { by: "ada" })`. */
export type BulkVerb = (instanceId: string) => Promise<unknown>;

/** The options of `Admin.forEach`. */
export interface ForEachOptions {
  /** How many instances are changed at the same time; 8 by default. */
  readonly concurrency?: number;
  /** Called after each page. */
  readonly onProgress?: (progress: ForEachProgress) => void;
  /** Stops after the calls in flight; the result then has `after`. */
  readonly signal?: AbortSignal;
  /** The `after` of an earlier call with the same filter, which this call continues. */
  readonly after?: string;
}

/** The progress of a call of `Admin.forEach`. */
export interface ForEachProgress {
  /** Instances for which the verb succeeded. */
  readonly done: number;
  /** Instances that refused the verb, such as one that has ended meanwhile. */
  readonly refused: number;
  /** Instances for which the verb failed. */
  readonly failed: number;
  /** The position for the next call; absent at the end. */
  readonly after?: string;
}

/** The result of `Admin.forEach`. */
export interface ForEachResult extends ForEachProgress {
  /** The first hundred that were refused or failed. */
  readonly errors: readonly { readonly instanceId: string; readonly error: unknown }[];
}

type OnProgress = (progress: ForEachProgress) => void;
type Observed = (given: OnProgress | undefined) => OnProgress;

const OPTIONS: OptionList = optionList<ForEachOptions>({
  concurrency: true,
  onProgress: true,
  signal: true,
  after: true,
});
const DEFAULT_CONCURRENCY = 8;
const PAGE = 100;
const MOST_ERRORS = 100;

/** The instances of a store, page by page. */
type Listing = Pick<ProviderAdmin, "queryInstances">;

/**
 * The filter is checked where the instances are found. `observed` makes calls of the callback safe: a failure of it does not stop the work.
 */
export async function eachInstance(
  { admin, observed }: { readonly admin: Listing; readonly observed: Observed },
  filter: InstanceFilter,
  verb: BulkVerb,
  options: ForEachOptions,
): Promise<ForEachResult> {
  check(verb, options);
  const { concurrency = DEFAULT_CONCURRENCY, signal } = options;
  const onProgress = observed(options.onProgress);
  const tally = new Tally();
  const isStopped = (): boolean => signal?.aborted === true;
  let { after } = options;
  do {
    if (isStopped()) return tally.result(after);
    const page = await readPage(admin, filter, after);
    const ids = page.instanceIds.values();
    const slots = Array.from({ length: concurrency }, () => tally.apply(verb, ids, signal));
    await Promise.all(slots);
    // A page that was not completed is repeated.
    if (isStopped()) return tally.result(after);
    after = page.continuation;
    onProgress(tally.progress(after));
  } while (after !== undefined);
  return tally.result(undefined);
}

class Tally {
  readonly #errors: { readonly instanceId: string; readonly error: unknown }[] = [];
  #done = 0;
  #refused = 0;
  #failed = 0;

  /** One of several loops that take ids from the same iterator. */
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

/** Newest first, so that instances that begin meanwhile are not read and the call ends. */
async function readPage(admin: Listing, filter: InstanceFilter, after: string | undefined): Promise<Page> {
  const place = { limit: PAGE, ...(after !== undefined && { continuation: after }) };
  const { instances, continuation } = await admin.queryInstances({ filter, ...place });
  const instanceIds = instances.map(({ instanceId }) => instanceId);
  return { instanceIds, ...(continuation !== undefined && { continuation }) };
}

function check(verb: BulkVerb, options: ForEachOptions): void {
  const where = "admin.forEach";
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
