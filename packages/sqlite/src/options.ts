/** What can be set when a database is opened, with the defaults. */
import { type Clock, ProviderError, type Random, systemClock, systemRandom } from "@duroxide-ts/core";

/** What can be set when a database is opened. Times are ms. */
export interface SqliteProviderOptions {
  /** The system's clock by default. */
  readonly clock?: Clock;
  /** The system's by default. */
  readonly random?: Random;
  /** How soon waiting fetches notice what another process has committed; 50 by default. */
  readonly pollIntervalMs?: number;
  /**
   * "FULL", the default: what was acknowledged survives a loss of power. "NORMAL": a loss of power (not a
   * crash of the process) may undo the last commits; the file stays sound.
   */
  readonly synchronous?: "FULL" | "NORMAL";
  /** How long a call is retried while other processes keep the database locked; 5,000 by default. */
  readonly busyTimeoutMs?: number;
  /** What the file may grow to, in bytes; calls that need more fail with `store-full`. No limit by default. */
  readonly maxSizeBytes?: number;
  /** Told when messages are dropped or set aside; silent by default. */
  readonly onWarning?: (message: string, fields: { readonly instanceId: string }) => void;
}

export interface Settings {
  readonly clock: Clock;
  readonly random: Random;
  readonly pollIntervalMs: number;
  readonly synchronous: "FULL" | "NORMAL";
  readonly busyTimeoutMs: number;
  readonly maxSizeBytes: number | undefined;
  readonly onWarning: (message: string, fields: { readonly instanceId: string }) => void;
}

export function toSettings(options: SqliteProviderOptions): Settings {
  const { synchronous = "FULL" } = options;
  if (synchronous !== "FULL" && synchronous !== "NORMAL") {
    throw invalidOption(`synchronous is ${String(synchronous)}; it must be "FULL" or "NORMAL"`);
  }
  return {
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
    pollIntervalMs: toWhole("pollIntervalMs", options.pollIntervalMs ?? 50, 1),
    synchronous,
    busyTimeoutMs: toWhole("busyTimeoutMs", options.busyTimeoutMs ?? 5_000, 0),
    maxSizeBytes:
      options.maxSizeBytes === undefined ? undefined : toWhole("maxSizeBytes", options.maxSizeBytes, 1),
    onWarning: options.onWarning ?? (() => {}),
  };
}

function toWhole(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw invalidOption(`${name} is ${value}; it must be a whole number from ${least}`);
}

function invalidOption(message: string): ProviderError {
  return new ProviderError({ code: "invalid-input", operation: "open", message });
}
