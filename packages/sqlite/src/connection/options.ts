/** The options of opening a database, with their defaults. */
import type { Clock, Logger, Random } from "@duroxide-ts/core";
import {
  type OptionList,
  optionFault,
  optionList,
  type Processes,
  ProviderError,
  systemClock,
  systemProcesses,
  systemRandom,
  toLogger,
  toWarnings,
} from "@duroxide-ts/core/stores";

import { type Disk, LogFile } from "./disk.ts";

/**
 * The failure that a completed commit survives. `power`: that of the machine too, because a commit waits until the disk
 * has it. `process`: the death of every process; a power failure, or a crash of the operating system, may take the last
 * commits back, and then a step that has run may run again. The file stays consistent with both.
 */
export type Durability = "power" | "process";

const DURABILITIES: readonly string[] = ["power", "process"] satisfies readonly Durability[];

/** The options of opening a database. Times are ms. */
export interface SqliteProviderOptions {
  /** The system's clock by default. */
  readonly clock?: Clock;
  /** The system's by default. */
  readonly random?: Random;
  /** Says which processes of this machine have ended, so that their locks are freed; the system's by default. */
  readonly processes?: Processes;
  /** The longest time until waiting fetches find a commit of another process; 50 by default. */
  readonly pollIntervalMs?: number;
  /** The failure that commits survive; `power` by default. All processes of a file should have the same. */
  readonly durability?: Durability;
  /** How long a call is retried while other processes keep the database locked; 5,000 by default. */
  readonly busyTimeoutMs?: number;
  /** The largest size of the file, in bytes; calls that need more fail with `store-full`. No limit by default. */
  readonly maxSizeBytes?: number;
  /**
   * Opens an existing file, for tools, without taking any lock that a writer needs, and never changes it. Reads work
   * while other processes write; every write and every fetch is rejected with `read-only`. False by default.
   */
  readonly readOnly?: boolean;
  /** Gets errors about the open file. A pino logger has this interface; stderr by default (`stderrLogger`). */
  readonly logger?: Logger;
  /** Called when messages are discarded or set aside; by default they are warnings of the logger. */
  readonly onWarning?: (message: string, fields: { readonly instanceId: string }) => void;
}

export interface Settings {
  readonly clock: Clock;
  readonly random: Random;
  readonly processes: Processes;
  readonly pollIntervalMs: number;
  readonly durability: Durability;
  readonly busyTimeoutMs: number;
  readonly maxSizeBytes: number | undefined;
  readonly readOnly: boolean;
  /** Makes the log of a database, for its path. */
  readonly disk: (path: string) => Disk;
  readonly logger: Logger;
  readonly onWarning: (message: string, fields: { readonly instanceId: string }) => void;
}

const KNOWN: OptionList = optionList<SqliteProviderOptions>({
  clock: true,
  random: true,
  processes: true,
  pollIntervalMs: true,
  durability: true,
  busyTimeoutMs: true,
  maxSizeBytes: true,
  readOnly: true,
  logger: true,
  onWarning: true,
});

/** Throws `invalid-input` for an option that does not exist, and for an invalid value. */
export function toSettings(options: SqliteProviderOptions): Settings {
  const fault = optionFault("SqliteProvider.open", options, KNOWN);
  if (fault !== undefined) throw invalidOption(fault);
  const { durability = "power", clock = systemClock } = options;
  const logger = toLogger(options.logger, clock);
  if (!DURABILITIES.includes(durability)) {
    throw invalidOption(`durability is ${String(durability)}; it must be "power" or "process"`);
  }
  return {
    clock,
    random: options.random ?? systemRandom,
    processes: options.processes ?? systemProcesses,
    pollIntervalMs: toWhole("pollIntervalMs", options.pollIntervalMs ?? 50, 1),
    durability,
    busyTimeoutMs: toWhole("busyTimeoutMs", options.busyTimeoutMs ?? 5_000, 0),
    maxSizeBytes:
      options.maxSizeBytes === undefined ? undefined : toWhole("maxSizeBytes", options.maxSizeBytes, 1),
    readOnly: toBoolean("readOnly", options.readOnly ?? false),
    disk: (path) => new LogFile(path),
    logger,
    onWarning: toWarnings(options.onWarning, { clock, logger }),
  };
}

function toBoolean(name: string, value: boolean): boolean {
  if (typeof value === "boolean") return value;
  throw invalidOption(`${name} is ${String(value)}; it must be true or false`);
}

function toWhole(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw invalidOption(`${name} is ${value}; it must be a whole number from ${least}`);
}

export function invalidOption(message: string): ProviderError {
  return new ProviderError({ code: "invalid-input", operation: "open", message });
}
