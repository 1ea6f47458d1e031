/** Checks the arguments of callers (documents, holders, states) before any request. */
import { messageOf, type OptionList, optionFault, optionList } from "@duroxide-ts/core/stores";
import { invalid } from "./settings.ts";

/** Limits of the service (docs/reference/cosmos-protocol.md §1.4 and §3.1). */
const MAX_ID_BYTES = 1_023;
const MAX_HOLDER_LENGTH = 1_024;

/**
 * A batch has at most a hundred; most leases of a longer list would run unused while the caller works on the others.
 */
export const MAX_NEXT = 1_000;

export function checkDocumentId(operation: string, id: string): string {
  const isId = typeof id === "string" && id !== "" && Buffer.byteLength(id) <= MAX_ID_BYTES;
  if (isId && !/[/\\#]/.test(id)) return id;
  throw invalid(
    operation,
    `the document's id is ${JSON.stringify(id)}; give 1 to ${MAX_ID_BYTES} bytes without / \\ #`,
  );
}

export function checkHolder(operation: string, holder: string): string {
  if (typeof holder === "string" && holder !== "" && holder.length <= MAX_HOLDER_LENGTH) return holder;
  throw invalid(
    operation,
    `the holder is ${JSON.stringify(holder)}; give a text of 1 to ${MAX_HOLDER_LENGTH} characters that no other process uses`,
  );
}

export function checkLimit(operation: string, limit: number): number {
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= MAX_NEXT) return limit;
  throw invalid(operation, `limit is ${String(limit)}; give a whole number from 1 to ${MAX_NEXT}`);
}

/** A value of the state property. */
export type DocumentState = string | number | boolean;

export function checkState(operation: string, state: DocumentState): DocumentState {
  const isState = typeof state === "string" || typeof state === "boolean" || Number.isFinite(state);
  if (isState && state !== "") return state;
  throw invalid(operation, `the state is ${JSON.stringify(state)}; give a text, a number or a boolean`);
}

/** The options of a write through a lease. */
export interface WriteOptions {
  /** Gives the lease back in the same write. */
  readonly giveBack?: boolean;
}

const WRITE: OptionList = optionList<WriteOptions>({ giveBack: true });

/** Rejects what cannot be stored: the request would fail again and again as if the service did not answer. */
export function checkWrite(operation: string, value: unknown, options: WriteOptions): void {
  const fault = optionFault(operation, options, WRITE);
  if (fault !== undefined) throw invalid(operation, fault);
  if (options.giveBack !== undefined && typeof options.giveBack !== "boolean")
    throw invalid(operation, `giveBack is ${String(options.giveBack)}; give true or false`);
  try {
    JSON.stringify(value);
  } catch (error) {
    throw invalid(operation, `what is to be written is no JSON (${messageOf(error)})`);
  }
}

/** The service's limit of 10 operations in a patch, one of which writes the lease. */
export const MAX_CHANGES = 9;

/** Rejects changes of properties that an update must not change. */
export function checkChanges(
  changes: Readonly<Record<string, unknown>>,
  untouchable: readonly string[],
): void {
  const names = Object.keys(changes);
  if (names.length > MAX_CHANGES) {
    throw invalid(
      "update",
      `${names.length} properties at once; the service takes ${MAX_CHANGES}: put several into one object`,
    );
  }
  for (const name of names) {
    if (untouchable.includes(name) || name.startsWith("_")) {
      throw invalid(
        "update",
        `the property ${JSON.stringify(name)} cannot be changed by an update; leave it out`,
      );
    }
    if (name === "" || /[/~]/.test(name)) {
      throw invalid(
        "update",
        `the property ${JSON.stringify(name)} cannot be addressed; a name has no / and no ~`,
      );
    }
    if (changes[name] === undefined) {
      throw invalid(
        "update",
        `the property ${JSON.stringify(name)} is undefined; give null, or leave it out`,
      );
    }
  }
}
