/**
 * The validation kit: several hundred behaviours that a store must show to be a provider.
 *
 * @module @duroxide-ts/provider-tests
 */

// The cases, as data
export type { Need, ProviderCase } from "./case.ts";
// The context of a case, for authors of further cases
export type { Check } from "./check.ts";
export type { Caller, CaseContext } from "./context.ts";
// The interface for authors of providers
export type { ArmedFault, Capabilities, OpenOptions, ProviderFactory, TestStore } from "./factory.ts";
// Random calls in lock step with the in-memory provider
export { checkAgainstModel, type ModelOptions } from "./model/check-against-model.ts";
export { type ScriptScope, scriptScope } from "./model/scope.ts";
export { providerCases } from "./provider-cases.ts";
export { type CaseOutcome, runCase } from "./run-case.ts";
export { StorageFaults } from "./storage-faults.ts";
// The store under load
export { stressFromFlags } from "./stress/flags.ts";
export { stressLargePayload } from "./stress/large-payload.ts";
export type { ParallelOptions, StressOptions } from "./stress/options.ts";
export { stressParallelOrchestrations } from "./stress/parallel.ts";
export { compareResults, describeResult, type FailureCategory, type StressResult } from "./stress/report.ts";
export type { CaseTime } from "./time.ts";
