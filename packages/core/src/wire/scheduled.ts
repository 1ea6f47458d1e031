/** The stored forms of schedules and of their runs (docs/decisions/schedules.md). */
import type { ScheduledRun } from "./scheduled-run.ts";
import { RESERVED_PREFIX } from "./sent-message.ts";
import type { Tags } from "./tags.ts";
import type { Semver } from "./version.ts";
import type { OrchestratorItem, WorkItemOf } from "./work-item.ts";

/** Begins the id of the instance of each schedule. */
export const SCHEDULE_PREFIX = "schedule:";

/** The orchestration of schedules, which every runtime has. */
export const SCHEDULE_ORCHESTRATION: string = `${RESERVED_PREFIX}schedule`;
export const SCHEDULE_VERSION = "1.0.0";

/** The version to which instances of schedules are pinned: Rust's workers leave it alone. */
export const SCHEDULE_PIN: Semver = { major: 999, minor: 0, patch: 0, prerelease: [] };

/** The key of the tag by which the runs of a schedule are found. It is not among the tags that are shown. */
export const SCHEDULE_TAG: string = `${RESERVED_PREFIX}schedule`;

/** The queue of a schedule in which its runs say that they have ended. */
const ENDED_QUEUE = `${RESERVED_PREFIX}run-ended`;

/** Whether the orchestration is that of schedules. */
export function isSchedule({ orchestrationName }: { readonly orchestrationName: string }): boolean {
  return orchestrationName === SCHEDULE_ORCHESTRATION;
}

/** The id of the instance of a schedule. */
export function scheduleInstance(name: string): string {
  return SCHEDULE_PREFIX + name;
}

/** The message that tells a schedule of the end of a run; none where it does not want to know. */
export function runEnded(
  instanceId: string,
  scheduled: ScheduledRun | undefined,
): readonly WorkItemOf<"QueueMessage">[] {
  if (scheduled?.tells !== true) return [];
  const instance = scheduleInstance(scheduled.name);
  return [{ kind: "QueueMessage", instance, name: ENDED_QUEUE, data: JSON.stringify(instanceId) }];
}

/** The run whose end the message tells. */
export function endedRun(item: OrchestratorItem): string | undefined {
  if (item.kind !== "QueueMessage" || item.name !== ENDED_QUEUE) return undefined;
  const run: unknown = JSON.parse(item.data);
  return typeof run === "string" ? run : undefined;
}

/** The part of a filter of instances that concerns schedules. */
interface ScheduleFilter {
  readonly schedule?: string;
  readonly name?: unknown;
  readonly parentId?: unknown;
  readonly tags?: object;
}

/** The filter with its schedule as the tag of the runs. */
export function withRunsOf<Filter extends ScheduleFilter>(filter: Filter): Filter {
  const { schedule, ...others } = filter;
  if (schedule === undefined) return filter;
  return { ...others, tags: { ...filter.tags, [SCHEDULE_TAG]: schedule } } as unknown as Filter;
}

/** Whether a list leaves out the instances of schedules, which could match. */
export function hidesSchedules({ name, tags, parentId, schedule }: ScheduleFilter): boolean {
  return name === undefined && tags === undefined && parentId === undefined && schedule === undefined;
}

/** The tags that are shown; `undefined` if there are none. */
export function shownTags(stored: Tags | undefined): Tags | undefined {
  if (stored === undefined || !Object.hasOwn(stored, SCHEDULE_TAG)) return stored;
  const { [SCHEDULE_TAG]: _, ...tags } = stored;
  return Object.keys(tags).length === 0 ? undefined : tags;
}

/** The tags of an instance as stores keep them: with that of its schedule. */
export function storedTags(tags: Tags, scheduled: ScheduledRun | undefined): Tags {
  return scheduled === undefined ? tags : { ...tags, [SCHEDULE_TAG]: scheduled.name };
}

const RUN_ID = /^(.+)@\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/s;

/** The message for a run that was deleted by hand; `undefined` for an id that no run has. */
export function runRemoved(instanceId: string): WorkItemOf<"QueueMessage"> | undefined {
  const [, name] = RUN_ID.exec(instanceId) ?? [];
  return name === undefined ? undefined : runEnded(instanceId, { name, due_ms: 0, tells: true })[0];
}
