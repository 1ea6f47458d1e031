/** All routes of the JSON API. */
import { act } from "./act.ts";
import { bulk } from "./bulk.ts";
import { call } from "./call.ts";
import { children } from "./children.ts";
import { count } from "./count.ts";
import { deadLetters, drop, requeue } from "./dead-letters.ts";
import { exported } from "./export.ts";
import { history } from "./history.ts";
import { inputs } from "./inputs.ts";
import { instance } from "./instance.ts";
import { instances } from "./instances.ts";
import { deleteLimit, limits, setLimit } from "./limits.ts";
import { figures, overview } from "./overview.ts";
import { payload } from "./payload.ts";
import { prune } from "./prune.ts";
import { redeliver } from "./redeliver.ts";
import { rewind } from "./rewind.ts";
import type { ActRoute, ReadRoute } from "./route.ts";
import { actOnSchedule, backfill, dueTimes, schedule, schedules } from "./schedules.ts";
import { enqueue, raise } from "./send.ts";
import { session } from "./session.ts";
import { start } from "./start.ts";
import { state } from "./state.ts";
import { streams } from "./streams.ts";
import { timeline } from "./timeline.ts";
import { waits } from "./waits.ts";
import { queues, work } from "./work.ts";
import { workers } from "./workers.ts";

export const READ_ROUTES: ReadonlyMap<string, ReadRoute> = byPath([
  session,
  overview,
  figures,
  work,
  queues,
  workers,
  limits,
  schedules,
  schedule,
  dueTimes,
  inputs,
  deadLetters,
  instances,
  count,
  waits,
  instance,
  timeline,
  call,
  history,
  payload,
  state,
  streams,
  children,
  exported,
]);

export const ACT_ROUTES: ReadonlyMap<string, ActRoute> = byPath([
  act,
  rewind,
  bulk,
  raise,
  enqueue,
  redeliver,
  prune,
  start,
  requeue,
  drop,
  actOnSchedule,
  backfill,
  setLimit,
  deleteLimit,
]);

function byPath<Route extends { readonly path: string }>(
  routes: readonly Route[],
): ReadonlyMap<string, Route> {
  return new Map(routes.map((route) => [route.path, route]));
}
