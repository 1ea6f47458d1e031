/**
 * Support for tests of orchestrations and of providers.
 *
 * @module @duroxide-ts/core/testing
 */

export type { ActivityCall, ActivityCallOutcome } from "./environment/activity-recorder.ts";
export type { TestEnvironmentOptions } from "./environment/options.ts";
export type { ChildOutcome, ChildRecord, EventRecord, TimerRecord } from "./environment/spies.ts";
export { StalledError } from "./environment/stalled-error.ts";
export { TestEnvironment } from "./environment/test-environment.ts";
export type { RunToEndOptions, TestRun } from "./environment/test-run.ts";
export { UnseenFailuresError } from "./environment/unseen-failures-error.ts";
export type { Wait } from "./environment/waits.ts";
export { MemoryProvider, type MemoryProviderOptions } from "./memory/provider.ts";
export { type ExportOptions, exportHistory } from "./replay/export-history.ts";
export type { PayloadPlace, Redact } from "./replay/redact.ts";
export { type ReplaceTextsOptions, replaceTexts } from "./replay/replace-texts.ts";
export { type ReplayedExecution, type ReplayOptions, type ReplaySummary, replay } from "./replay/replay.ts";
export { ReplayDivergenceError } from "./replay/replay-divergence-error.ts";
export { SeededRandom } from "./seeded-random.ts";
export { VirtualClock } from "./virtual-clock.ts";
