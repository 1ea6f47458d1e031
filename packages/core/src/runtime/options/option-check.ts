/**
 * Checks the names of runtime options and the types of their values. A program in JavaScript, or one whose options come
 * from a file, has no compiler for this: a misspelt name would silently mean the default.
 */
import type { TagFilter } from "../../contract/provider.ts";
import { providerFault } from "../../contract/provider-check.ts";
import { ConfigurationError } from "../../errors/duroxide-error.ts";
import type { GuardMode } from "../../guard/open-turns.ts";
import { choiceFault, functionFault, methodsFault, textFault } from "../../options/option-kinds.ts";
import { type OptionList, optionFault, optionList, shown } from "../../options/option-list.ts";
import type { BlockOrFail, RuntimeOptions } from "./runtime-options.ts";

export const RUNTIME_OPTIONS: Readonly<Record<keyof RuntimeOptions, true>> = {
  provider: true,
  orchestrations: true,
  activities: true,
  schedules: true,
  versionPolicies: true,
  orchestrationConcurrency: true,
  workerConcurrency: true,
  longPollTimeoutMs: true,
  minPollIntervalMs: true,
  orchestratorLockTimeoutMs: true,
  workerLockTimeoutMs: true,
  maxAttempts: true,
  onNondeterminism: true,
  onMissingHandler: true,
  sessionLockTimeoutMs: true,
  sessionIdleTimeoutMs: true,
  workerNodeId: true,
  workerTagFilter: true,
  liveExecutions: true,
  determinismGuard: true,
  codec: true,
  maxPayloadBytes: true,
  sourceLines: true,
  reportWorker: true,
  onStoreTrouble: true,
  logger: true,
  meter: true,
  tracer: true,
  retention: true,
  limits: true,
  clock: true,
  random: true,
};

const KNOWN: OptionList = optionList<RuntimeOptions>(RUNTIME_OPTIONS);

const BLOCK_OR_FAIL = ["block", "fail"] as const satisfies readonly BlockOrFail[];
const GUARD_MODES = ["error", "warning", "off"] as const satisfies readonly GuardMode[];
/** A record, so that the compiler reports a new kind that is missing here. */
const TAG_FILTERS: Readonly<Record<TagFilter["kind"], true>> = {
  "default-only": true,
  tags: true,
  "default-and": true,
  any: true,
  none: true,
};

const TAKES_TAGS: ReadonlySet<TagFilter["kind"]> = new Set(["tags", "default-and"]);
const TAG_FILTER: OptionList = optionList<Required<Extract<TagFilter, { readonly kind: "tags" }>>>({
  kind: true,
  tags: true,
});

/** ConfigurationError with what to do. Numbers are checked with their defaults, in options.ts. */
export function checkRuntimeOptions(options: RuntimeOptions): void {
  refuse(options === undefined ? "Runtime.start: give options with a provider and handlers" : undefined);
  refuse(optionFault("Runtime.start", options, KNOWN));
  refuse(providerFault("Runtime.start", options.provider, "fetchOrchestrationItem"));
  checkHandlers("orchestrations", "orchestration", options.orchestrations);
  checkHandlers("activities", "activity", options.activities);
  refuse(choiceFault("onNondeterminism", options.onNondeterminism, BLOCK_OR_FAIL));
  refuse(choiceFault("onMissingHandler", options.onMissingHandler, BLOCK_OR_FAIL));
  refuse(choiceFault("determinismGuard", options.determinismGuard, GUARD_MODES));
  if (options.workerTagFilter !== undefined) {
    refuse(tagFilterFault(options.workerTagFilter));
  }
  refuse(textFault("workerNodeId", options.workerNodeId));
  refuse(methodsFault("codec", options.codec, ["encode", "decode"]));
  refuse(methodsFault("logger", options.logger, ["debug", "info", "warn", "error"]));
  refuse(methodsFault("clock", options.clock, ["now", "schedule"]));
  refuse(methodsFault("random", options.random, ["next", "uuid"]));
  refuse(functionFault("onStoreTrouble", options.onStoreTrouble));
}

function tagFilterFault(filter: TagFilter): string | undefined {
  const fault =
    optionFault("workerTagFilter", filter, TAG_FILTER) ??
    choiceFault("workerTagFilter: kind", kindOf(filter), Object.keys(TAG_FILTERS));
  if (fault !== undefined || !TAKES_TAGS.has(filter.kind)) return fault;
  const { tags } = filter as { readonly tags?: unknown };
  return Array.isArray(tags)
    ? undefined
    : `workerTagFilter: tags must be an array of tags; got ${shown(tags)}`;
}

function checkHandlers(name: string, kind: "orchestration" | "activity", handlers: unknown): void {
  if (handlers === undefined) return;
  refuse(Array.isArray(handlers) ? undefined : `${name} must be an array; got ${shown(handlers)}`);
  for (const [index, handler] of (handlers as readonly unknown[]).entries()) {
    if (kindOf(handler) === kind) continue;
    const circle = handler === undefined ? "; modules that import each other in a circle see undefined" : "";
    refuse(`${name}[${index}] must be what ${kind}(…) returns; got ${described(handler)}${circle}`);
  }
}

function kindOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "kind" in value ? value.kind : undefined;
}

function described(value: unknown): string {
  const kind = kindOf(value);
  return typeof kind === "string" ? `a definition of the kind "${kind}"` : shown(value);
}

function refuse(fault: string | undefined): void {
  if (fault !== undefined) throw new ConfigurationError(fault);
}
