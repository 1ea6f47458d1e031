/** Maps SQLite's result codes to errors of the provider. Codes: https://sqlite.org/rescode.html. */
import { isError, ProviderError, type ProviderErrorCode } from "@duroxide-ts/core/stores";
import { StoreGone } from "./store-gone.ts";

const BUSY = 5;
const LOCKED = 6;
const NO_MEMORY = 7;
const READ_ONLY = 8;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const TOO_BIG = 18;
const NOT_A_DATABASE = 26;

interface Meaning {
  readonly code: ProviderErrorCode;
  readonly message: string;
}

const MEANINGS: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  [BUSY, { code: "unavailable", message: "another process keeps writing to the database; try again" }],
  [LOCKED, { code: "unavailable", message: "the database is locked; try again" }],
  [NO_MEMORY, { code: "unavailable", message: "SQLite ran out of memory; try again" }],
  [IO_ERROR, { code: "unavailable", message: "the disk failed to read or write the database; try again" }],
  [FULL, { code: "store-full", message: "the disk or the database is full; free some space" }],
  [CORRUPT, { code: "corrupt-data", message: "the database file is damaged; restore it from a backup" }],
  [NOT_A_DATABASE, { code: "corrupt-data", message: "the file is not an SQLite database any more" }],
  [TOO_BIG, { code: "invalid-input", message: "a value is larger than SQLite can store" }],
  [READ_ONLY, { code: "read-only", message: "the database file cannot be written; check its permissions" }],
  [CANNOT_OPEN, { code: "internal", message: "the database file cannot be opened any more" }],
]);

/** The primary result code, `undefined` if the error does not come from SQLite. */
export function sqliteCode(error: unknown): number | undefined {
  if (!isError(error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}

/** The code of an error of the operating system, such as `ENOENT`. */
export function systemCode(error: unknown): unknown {
  return isError(error) && "code" in error ? error.code : undefined;
}

/** Another connection holds the lock; the same call may succeed later. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === BUSY || code === LOCKED;
}

export function toProviderError(operation: string, error: unknown): ProviderError {
  if (ProviderError.is(error)) return error;
  if (error instanceof StoreGone) {
    return new ProviderError({ code: "store-gone", operation, message: error.message, cause: error });
  }
  const lack = lackOf(error);
  if (lack !== undefined) return tooManyFiles(operation, "a file of the database", lack, error);
  const code = sqliteCode(error);
  const meaning = code === undefined ? undefined : MEANINGS.get(code);
  const reason = isError(error) ? error.message : String(error);
  return new ProviderError({
    code: meaning?.code ?? "internal",
    operation,
    message: meaning === undefined ? reason : `${meaning.message} (${reason})`,
    cause: error,
  });
}

export function cannotOpen(message: string, cause?: unknown): ProviderError {
  return new ProviderError({ code: "cannot-open", operation: "open", message, cause });
}

/** Error for a full disk of which SQLite only says that it could not open or write a file. */
export function storeFull(operation: string, cause: unknown): ProviderError {
  const reason = isError(cause) ? cause.message : String(cause);
  const message = `the disk is full; free some space (${reason})`;
  return new ProviderError({ code: "store-full", operation, message, cause });
}

/** The system's reason against another open file: `EMFILE`, for this process, or `ENFILE`, for the whole system. */
export type DescriptorLack = "EMFILE" | "ENFILE";

/** `undefined` for another error. */
export function lackOf(error: unknown): DescriptorLack | undefined {
  const code = systemCode(error);
  return code === "EMFILE" || code === "ENFILE" ? code : undefined;
}

export function tooManyFiles(
  operation: string,
  path: string,
  lack: DescriptorLack,
  cause: unknown,
): ProviderError {
  const who = lack === "EMFILE" ? "this process has" : "the processes of this machine have";
  return new ProviderError({
    code: "unavailable",
    operation,
    message: `${path} cannot be opened: ${who} as many files open as the system allows (${lack}); close files, or raise the limit (ulimit -n), and try again`,
    cause,
  });
}
