/** The options of a test environment. */
import type { Provider } from "../../contract/provider.ts";
import { ConfigurationError } from "../../errors/duroxide-error.ts";
import { functionFault, wholeNumberFault } from "../../options/option-kinds.ts";
import { type OptionList, optionFault, optionList } from "../../options/option-list.ts";
import { RUNTIME_OPTIONS } from "../../runtime/options/option-check.ts";
import type { RuntimeOptions } from "../../runtime/options/runtime-options.ts";
import type { VirtualClock } from "../virtual-clock.ts";

/**
 * Handlers and options of a runtime under test: all except the clock. The runtime writes warnings and errors to stderr,
 * as in production; tests that expect them pass `logger: silentLogger`.
 */
export interface TestEnvironmentOptions extends Omit<RuntimeOptions, "provider" | "clock"> {
  /** Opens the store; a MemoryProvider by default. It must use the given clock, and is closed at the end. */
  readonly provider?: (clock: VirtualClock) => Provider | Promise<Provider>;
  /** Start of virtual time, ms since the epoch. */
  readonly startMs?: number;
  /**
   * How long the environment waits for the running handlers of activities and steps, in real time, before they count as
   * idle, whatever they wait for. By default it waits for as long as a handler waits for a timer, a file, a request or
   * another thread, for about three seconds, and a tenth of a second for one that waits for nothing of this kind.
   */
  readonly patienceMs?: number;
  /**
   * False by default. If true, a call of an activity without a mock (`definition.mock(…)`), or of a step without an
   * activity of its name, fails with an error that is not retried, and the real handler does not run.
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

const A_CENTURY_MS = 36_525 * 86_400_000;

/**
 * Defaults for virtual time: few slots, and no periodic timers, so that advancing by a month costs no more than the
 * work in it. Session locks do not expire unless a test sets their options.
 */
export const TEST_DEFAULTS: Partial<RuntimeOptions> = {
  orchestrationConcurrency: 4,
  workerConcurrency: 32,
  longPollTimeoutMs: A_CENTURY_MS,
  sessionLockTimeoutMs: A_CENTURY_MS,
  sessionIdleTimeoutMs: A_CENTURY_MS,
  reportWorker: false,
  // A mismatch or a missing handler must fail the test; a block would wait for a deployment that never comes.
  onNondeterminism: "fail",
  onMissingHandler: "fail",
};
