/** The conditions of tools that choose instances: those of `duroxide list` that a query of the store answers. */
import type { InstanceFilter, ListedStatus } from "@duroxide-ts/core";
import { MOMENT, momentMs, parseMoment } from "../text/span.ts";
import { type Arguments, optionalSwitch, optionalText } from "./tool.ts";

const TEXT = { type: "string" };
const SWITCH = { type: "boolean" };

function span(description: string): object {
  return { ...TEXT, description: `${description}: ${MOMENT}` };
}

/** The JSON schemas of the arguments. */
export const FILTER = {
  status: { type: "string", enum: ["Scheduled", "Waiting", "Running", "Completed", "Failed", "Cancelled"] },
  name: { ...TEXT, description: "the name of the orchestration" },
  version: { ...TEXT, description: "the version of the orchestration" },
  schedule: { type: "string", description: "runs of this schedule" },
  tags: {
    type: "object",
    description: 'tags of the instance, such as { "tenant": "acme", "priority": { "gte": 2 } }',
  },
  idPrefix: TEXT,
  errorContains: TEXT,
  blocked: { ...SWITCH, description: "whether it waits for fitting code" },
  suspended: { ...SWITCH, description: "whether an operator has suspended it" },
  createdWithin: span("that began within this time"),
  olderThan: span("that began longer ago"),
  updatedWithin: span("that changed within this time"),
  unchangedFor: span("that have not changed within this time"),
} as const;

/** Throws a TypeError for a value that does not fit. */
export function filterOf(given: Arguments, nowMs: number): InstanceFilter {
  const status = optionalText(given, "status") as ListedStatus | undefined;
  const name = optionalText(given, "name");
  const version = optionalText(given, "version");
  // The client refuses what is no condition on tags.
  const { tags } = given as Pick<InstanceFilter, "tags">;
  const schedule = optionalText(given, "schedule");
  const idPrefix = optionalText(given, "idPrefix");
  const errorContains = optionalText(given, "errorContains");
  const blocked = optionalSwitch(given, "blocked");
  const suspended = optionalSwitch(given, "suspended");
  return {
    ...(status !== undefined && { status: [status] }),
    ...(name !== undefined && { name: [name] }),
    ...(version !== undefined && { version: [version] }),
    ...(tags !== undefined && { tags }),
    ...(schedule !== undefined && { schedule }),
    ...(idPrefix !== undefined && { idPrefix }),
    ...(errorContains !== undefined && { errorContains }),
    ...(blocked !== undefined && { blocked }),
    ...(suspended !== undefined && { suspended }),
    ...instant("createdFromMs", given, "createdWithin", nowMs),
    ...instant("createdToMs", given, "olderThan", nowMs),
    ...instant("updatedFromMs", given, "updatedWithin", nowMs),
    ...instant("updatedToMs", given, "unchangedFor", nowMs),
  };
}

function instant(
  condition: "createdFromMs" | "createdToMs" | "updatedFromMs" | "updatedToMs",
  given: Arguments,
  name: string,
  nowMs: number,
): InstanceFilter {
  const text = optionalText(given, name);
  if (text === undefined) return {};
  const moment = parseMoment(text);
  if (moment === undefined) throw new TypeError(`${name} must be ${MOMENT}`);
  return { [condition]: momentMs(moment, nowMs) };
}
