/**
 * The calls of a client about the store as a whole, as they have routes: `POST /admin/query` with the arguments as a JSON
 * array.
 */
import type { AnyAdmin, AnySchedules, Client } from "@duroxide-ts/core/browser";

/** A read; or the place of the argument that names who has changed something, and why. */
type Kind = "read" | 1 | 2;

type Calls<Of, Else extends keyof Of = never> = Readonly<Record<Exclude<keyof Of, Else>, Kind>>;

const ADMIN: Calls<AnyAdmin, "instances" | "forEach"> = {
  query: "read",
  count: "read",
  work: "read",
  deadLetters: "read",
  workers: "read",
  info: "read",
  executions: "read",
  execution: "read",
  history: "read",
  timeline: "read",
  tree: "read",
  blocked: "read",
  runningMetrics: "read",
  metrics: "read",
  queueDepths: "read",
  requeueDeadLetter: 1,
  dropDeadLetter: 1,
  delete: 1,
  deleteAll: 1,
  prune: 1,
  pruneAll: 1,
  suspend: 1,
  resume: 1,
  retry: 1,
  rewind: 1,
  restart: 1,
  terminate: 1,
  redeliver: 1,
};

const LIMITS: Calls<Client["limits"]> = { list: "read", get: "read", set: 2, delete: 1 };

const SCHEDULES: Calls<AnySchedules> = {
  list: "read",
  get: "read",
  next: "read",
  runs: "read",
  apply: 1,
  pause: 1,
  resume: 1,
  trigger: 1,
  backfill: 1,
  delete: 1,
};

/** A part of a client. */
export type StorePart = "admin" | "limits" | "schedules";

/** The parts of a client, and their calls. */
export const STORE_CALLS: Readonly<Record<StorePart, Readonly<Record<string, Kind>>>> = {
  admin: ADMIN,
  limits: LIMITS,
  schedules: SCHEDULES,
};

/** The body of an answer: no `value` for `undefined`. */
export interface StoreAnswer {
  readonly value?: unknown;
}
