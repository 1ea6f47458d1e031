/** The activities that a runtime fetches: those of its tags and names, and the steps of its orchestrations. */
import type { FetchWorkOptions, TagFilter } from "../../contract/provider.ts";
import { programOf, STEP_TAG, stepsOf } from "../../wire/known-code.ts";
import type { RuntimeSettings } from "../options/options.ts";
import type { ActivityRegistry, OrchestrationRegistry } from "../registry.ts";
import { SYSTEM_CALLS } from "./system-activities.ts";

/** The code and the filter of a runtime. */
interface Accepting {
  readonly settings: Pick<RuntimeSettings, "onMissingHandler" | "workerTagFilter">;
  readonly registry: ActivityRegistry;
  readonly orchestrations: OrchestrationRegistry;
}

/** Returns no names where a missing handler fails the activity, which then has to be fetched. */
export function acceptedActivities({
  settings: { onMissingHandler, workerTagFilter },
  registry,
  orchestrations,
}: Accepting): Pick<FetchWorkOptions, "tagFilter" | "activities"> {
  const steps = orchestrations.all.map(({ name, version }) => stepsOf(programOf(name, version)));
  const tagFilter = steps.length === 0 ? workerTagFilter : withSteps(workerTagFilter);
  if (onMissingHandler === "fail") return { tagFilter };
  return { tagFilter, activities: new Set([...registry.names, ...SYSTEM_CALLS, ...steps]) };
}

/** No tag of a user keeps the steps of an orchestration from the processes that have its code. */
function withSteps(filter: TagFilter): TagFilter {
  switch (filter.kind) {
    case "none":
      return { kind: "tags", tags: [STEP_TAG] };
    case "default-only":
      return { kind: "default-and", tags: [STEP_TAG] };
    case "tags":
    case "default-and":
      return { kind: filter.kind, tags: [...filter.tags, STEP_TAG] };
    case "any":
      return filter;
  }
}
