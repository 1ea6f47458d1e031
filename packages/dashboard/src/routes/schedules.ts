/** `GET /api/schedules`, `/api/schedule` and `/api/due-times`, and the actions on one schedule. */
import type { Blocked, ScheduleInfo } from "@duroxide-ts/core";
import { dueTimesBetween, instanceState, scheduleRule, scheduleState } from "@duroxide-ts/core/operate";
import { instantIn, Refused } from "@duroxide-ts/core/web";
import { choiceIn } from "../http/choice-in.ts";
import { textIn } from "../http/read-body.ts";
import type { DueTimesView, ScheduleRow, SchedulesView, ScheduleView } from "../page/shapes/schedules.ts";
import { unservedWork } from "../source/unserved-work.ts";
import { byHand, logAction } from "../source/verbs.ts";
import { type ActRoute, actOf, type Call, parameter, type ReadRoute } from "./route.ts";

const NEXT = 3;
const RUNS = 30;
const MOST_TIMES = 100;

export const schedules: ReadRoute = {
  path: "schedules",
  async read({ source }): Promise<SchedulesView> {
    const [found, { starts }] = await Promise.all([
      source.client.schedules.list(),
      unservedWork(source, false),
    ]);
    return { rows: found.map((info) => rowOf(info, starts)), nowMs: source.clock.now() };
  },
};

export const schedule: ReadRoute = {
  path: "schedule",
  async read(call): Promise<ScheduleView> {
    const { client } = call.source;
    const name = parameter(call, "name");
    const [next, { instances, cost }] = await Promise.all([
      client.schedules.next(name, NEXT),
      client.schedules.runs(name, { limit: RUNS }),
    ]);
    const runs = instances.map((run) => ({
      id: run.instanceId,
      state: instanceState(run),
      createdAtMs: run.createdAtMs,
    }));
    return { next, runs, ...(cost !== undefined && { requestUnits: cost.requestUnits }) };
  },
};

/** The preview of a backfill. */
export const dueTimes: ReadRoute = {
  path: "due-times",
  async read(call): Promise<DueTimesView> {
    const name = parameter(call, "name");
    const found = await call.source.client.schedules.get(name);
    if (found === undefined) throw new Refused(404, "not-found", `there is no schedule "${name}"`);
    const to = Math.min(instantIn("to", parameter(call, "to")), call.source.clock.now());
    const times = await dueTimesBetween(
      found,
      instantIn("from", parameter(call, "from")),
      to,
      MOST_TIMES + 1,
    );
    return { times: times.slice(0, MOST_TIMES), isCut: times.length > MOST_TIMES };
  },
};

const VERBS = ["pause", "resume", "trigger", "delete"] as const;

export const actOnSchedule: ActRoute = {
  path: "act-on-schedule",
  async act(call): Promise<object> {
    const { body, source } = call;
    const name = textIn(body, "name");
    const verb = choiceIn('"verb"', textIn(body, "verb"), VERBS);
    const act = actOf(call);
    await source.acting.schedules[verb](name, byHand(act));
    return done(call, `schedules ${verb}`, name);
  },
};

export const backfill: ActRoute = {
  path: "backfill",
  async act(call): Promise<object> {
    const { body, source } = call;
    const name = textIn(body, "name");
    const from = instantIn("from", textIn(body, "from"));
    const to = instantIn("to", textIn(body, "to"));
    await source.acting.schedules.backfill(name, { from, to, ...byHand(actOf(call)) });
    return done(call, "schedules backfill", name);
  },
};

function done(call: Call, verb: string, name: string): object {
  logAction(call.source, verb, name, actOf(call));
  return {};
}

function rowOf(info: ScheduleInfo, starts: readonly Blocked[]): ScheduleRow {
  const { name, orchestration, overlap, owner, nextDueMs, lastDueMs, paused, lastFailure, queued } = info;
  const blocked = starts.find(({ instanceId }) => isRunOf(instanceId, name));
  return {
    name,
    state: scheduleState(info),
    rule: scheduleRule(info),
    orchestration,
    overlap,
    owner,
    ...(nextDueMs !== undefined && { nextDueMs }),
    ...(lastDueMs !== undefined && { lastDueMs }),
    ...(paused !== undefined && { paused }),
    ...(lastFailure !== undefined && { lastFailure }),
    queued: queued.length,
    ...(blocked !== undefined && { blocked: { id: blocked.instanceId, detail: blocked.detail } }),
  };
}

/** The id of a run is the name and its due time. */
function isRunOf(instanceId: string, name: string): boolean {
  return instanceId.lastIndexOf("@") === name.length && instanceId.startsWith(name);
}
