/** What a test environment can be told. */
import type { Provider } from "../../contract/provider.ts";
import { ConfigurationError } from "../../errors/duroxide-error.ts";
import { functionFault, wholeNumberFault } from "../../options/option-kinds.ts";
import { type OptionList, optionFault, optionList } from "../../options/option-list.ts";
import { RUNTIME_OPTIONS } from "../../runtime/option-check.ts";
import type { RuntimeOptions } from "../../runtime/runtime-options.ts";
import type { VirtualClock } from "../virtual-clock.ts";

/**
 * Handlers and options of a runtime under test. Everything but the clock may be chosen. Warnings and errors of the
 * runtime go to stderr, as in production; `logger: silentLogger` is for tests that expect them.
 */
export interface TestEnvironmentOptions extends Omit<RuntimeOptions, "provider" | "clock"> {
  /** The store; a MemoryProvider by default. It must live by the clock that it is given, and is closed at the end. */
  readonly provider?: (clock: VirtualClock) => Provider | Promise<Provider>;
  /** When virtual time begins, ms since the epoch. */
  readonly startMs?: number;
  /**
   * How long an activity handler that is not finished is waited for, in real time, before the environment counts
   * as still: 100 ms by default. For handlers that do real I/O, give more; each one that never ends costs it once.
   */
  readonly patienceMs?: number;
  /**
   * False. Whether an activity that is not mocked (`definition.mock(…)`) fails where it is called, with an error that is
   * not retried, instead of running for real.
   */
  readonly mockAll?: boolean;
}

const { provider: _provider, clock: _clock, ...runtimeOptions } = RUNTIME_OPTIONS;
const KNOWN: OptionList = optionList<TestEnvironmentOptions>({
  ...runtimeOptions,
  provider: true,
  startMs: true,
  patienceMs: true,
  mockAll: true,
});

/** ConfigurationError for options that do not exist or have another kind. The runtime checks its own further. */
export function checkTestEnvironment(where: string, options: TestEnvironmentOptions | undefined): void {
  const fault =
    (options === undefined ? `${where}: give options with the handlers to test` : undefined) ??
    optionFault(where, options, KNOWN) ??
    functionFault(`${where}: provider`, options?.provider) ??
    wholeNumberFault(`${where}: startMs`, options?.startMs, 0) ??
    wholeNumberFault(`${where}: patienceMs`, options?.patienceMs, 0);
  if (fault !== undefined) throw new ConfigurationError(fault);
}

export const DEFAULT_PATIENCE_MS = 100;

const A_CENTURY_MS = 36_525 * 86_400_000;

/**
 * What suits virtual time: few slots, and nothing that ticks by itself, so that moving time over a month costs no
 * more than what happens in it. Session locks do not run out unless a test asks for that.
 */
export const TEST_DEFAULTS: Partial<RuntimeOptions> = {
  orchestrationConcurrency: 4,
  workerConcurrency: 32,
  longPollTimeoutMs: A_CENTURY_MS,
  sessionLockTimeoutMs: A_CENTURY_MS,
  sessionIdleTimeoutMs: A_CENTURY_MS,
  sessionCleanupIntervalMs: A_CENTURY_MS,
  // A test is to see that code does not fit or that a handler is missing, and not to wait for fitting code.
  onNondeterminism: "fail",
  onMissingHandler: "fail",
};
