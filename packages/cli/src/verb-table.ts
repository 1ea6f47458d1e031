/** The verbs. Each is loaded when it is called, so that the command starts fast. */
import type { VerbTable } from "./command/verb.ts";

export const VERBS: VerbTable = {
  list: {
    summary: "instances, newest first",
    group: "Look",
    load: async () => (await import("./verbs/list.ts")).list,
  },
  count: {
    summary: "how many instances match, by status, name and version",
    group: "Look",
    load: async () => (await import("./verbs/count.ts")).count,
  },
  show: {
    summary: "one instance: steps, waits, errors, state",
    group: "Look",
    load: async () => (await import("./verbs/show.ts")).show,
  },
  stream: {
    summary: "the values of a stream, and the progress of steps",
    group: "Look",
    load: async () => (await import("./verbs/stream.ts")).stream,
  },
  history: {
    summary: "the events of an instance",
    group: "Look",
    load: async () => (await import("./verbs/history.ts")).history,
  },
  result: {
    summary: "waits for an instance and prints its result",
    group: "Look",
    load: async () => (await import("./verbs/result.ts")).result,
  },
  start: {
    summary: "starts an orchestration",
    group: "Steer",
    load: async () => (await import("./verbs/start.ts")).start,
  },
  raise: {
    summary: "sends an event to an instance",
    group: "Steer",
    load: async () => (await import("./verbs/raise.ts")).raise,
  },
  enqueue: {
    summary: "adds a message to a queue of an instance",
    group: "Steer",
    load: async () => (await import("./verbs/enqueue.ts")).enqueue,
  },
  redeliver: {
    summary: "delivers a message again that did not fit its wait",
    group: "Steer",
    load: async () => (await import("./verbs/redeliver.ts")).redeliver,
  },
  ask: {
    summary: "asks a running instance, and prints its answer",
    group: "Steer",
    load: async () => (await import("./verbs/ask.ts")).ask,
  },
  cancel: {
    summary: "asks instances to end",
    group: "Steer",
    load: async () => (await import("./verbs/cancel.ts")).cancel,
  },
  suspend: {
    summary: "no turn of instances runs until they are resumed",
    group: "Steer",
    load: async () => (await import("./verbs/suspend.ts")).suspend,
  },
  resume: {
    summary: "ends a suspension",
    group: "Steer",
    load: async () => (await import("./verbs/resume.ts")).resume,
  },
  retry: {
    summary: "tries failed instances again from before their failure",
    group: "Steer",
    load: async () => (await import("./verbs/retry.ts")).retry,
  },
  rewind: {
    summary: "goes back to an event; what came after it is done again",
    group: "Steer",
    load: async () => (await import("./verbs/rewind.ts")).rewind,
  },
  restart: {
    summary: "begins instances that have ended once more",
    group: "Steer",
    load: async () => (await import("./verbs/restart.ts")).restart,
  },
  terminate: {
    summary: "ends instances now, without running their code",
    group: "Steer",
    load: async () => (await import("./verbs/terminate.ts")).terminate,
  },
  delete: {
    summary: "removes instances with their histories",
    group: "Steer",
    load: async () => (await import("./verbs/delete.ts")).deleteVerb,
  },
  prune: {
    summary: "removes old executions of instances",
    group: "Steer",
    load: async () => (await import("./verbs/prune.ts")).prune,
  },
  "schedules list": {
    summary: "all schedules, with their next and last due times",
    group: "Look",
    load: async () => (await import("./verbs/schedules-list.ts")).schedulesList,
  },
  "schedules get": {
    summary: "one schedule: rules, pause, changes",
    group: "Look",
    load: async () => (await import("./verbs/schedules-get.ts")).schedulesGet,
  },
  "schedules next": {
    summary: "the due times to come",
    group: "Look",
    load: async () => (await import("./verbs/schedules-next.ts")).schedulesNext,
  },
  "schedules runs": {
    summary: "the runs of a schedule, newest first",
    group: "Look",
    load: async () => (await import("./verbs/schedules-runs.ts")).schedulesRuns,
  },
  "schedules pause": {
    summary: "no due time of schedules runs until they are resumed",
    group: "Steer",
    load: async () => (await import("./verbs/schedules-pause.ts")).schedulesPause,
  },
  "schedules resume": {
    summary: "ends a pause of schedules",
    group: "Steer",
    load: async () => (await import("./verbs/schedules-resume.ts")).schedulesResume,
  },
  "schedules trigger": {
    summary: "starts a run of a schedule now",
    group: "Steer",
    load: async () => (await import("./verbs/schedules-trigger.ts")).schedulesTrigger,
  },
  "schedules backfill": {
    summary: "runs the due times of a period",
    group: "Steer",
    load: async () => (await import("./verbs/schedules-backfill.ts")).schedulesBackfill,
  },
  "schedules delete": {
    summary: "forgets schedules; their runs stay",
    group: "Steer",
    load: async () => (await import("./verbs/schedules-delete.ts")).schedulesDelete,
  },
  "schedules apply": {
    summary: "makes schedules as a file says",
    group: "Steer",
    load: async () => (await import("./verbs/schedules-apply.ts")).schedulesApply,
  },
  workers: {
    summary: "the processes that run instances",
    group: "Operate",
    load: async () => (await import("./verbs/workers.ts")).workers,
  },
  queues: {
    summary: "what waits in the queues",
    group: "Operate",
    load: async () => (await import("./verbs/queues.ts")).queues,
  },
  "dead-letters list": {
    summary: "rows that no process could read",
    group: "Operate",
    load: async () => (await import("./verbs/dead-letters-list.ts")).deadLettersList,
  },
  "dead-letters show": {
    summary: "one dead letter with its text",
    group: "Operate",
    load: async () => (await import("./verbs/dead-letters-show.ts")).deadLettersShow,
  },
  "dead-letters requeue": {
    summary: "puts dead letters back into their queue",
    group: "Operate",
    load: async () => (await import("./verbs/dead-letters-requeue.ts")).deadLettersRequeue,
  },
  "dead-letters drop": {
    summary: "deletes dead letters",
    group: "Operate",
    load: async () => (await import("./verbs/dead-letters-drop.ts")).deadLettersDrop,
  },
  "limits list": {
    summary: "limits of keys, with what runs and waits",
    group: "Operate",
    load: async () => (await import("./verbs/limits-list.ts")).limitsList,
  },
  "limits get": {
    summary: "what runs and waits under one key",
    group: "Operate",
    load: async () => (await import("./verbs/limits-get.ts")).limitsGet,
  },
  "limits set": {
    summary: "how many of a key run at a time, or begin in a period",
    group: "Operate",
    load: async () => (await import("./verbs/limits-set.ts")).limitsSet,
  },
  "limits delete": {
    summary: "removes the limit of a key",
    group: "Operate",
    load: async () => (await import("./verbs/limits-delete.ts")).limitsDelete,
  },
  doctor: {
    summary: "what is wrong with a store, and what mends it",
    group: "Operate",
    load: async () => (await import("./verbs/doctor.ts")).doctor,
  },
  top: {
    summary: "a live view of what runs",
    group: "Operate",
    load: async () => (await import("./verbs/top.ts")).top,
  },
  backup: {
    summary: "a copy of a SQLite store while it is used",
    group: "Operate",
    load: async () => (await import("./verbs/backup.ts")).backup,
  },
  export: {
    summary: "instances as lines of JSON, for another store",
    group: "Operate",
    load: async () => (await import("./verbs/export.ts")).exportVerb,
  },
  import: {
    summary: "stores the instances of an export",
    group: "Operate",
    load: async () => (await import("./verbs/import.ts")).importVerb,
  },
  dashboard: {
    summary: "the dashboard of a store in a browser",
    group: "Operate",
    load: async () => (await import("./verbs/dashboard.ts")).dashboard,
  },
  "history export": {
    summary: "histories as files, for replay",
    group: "Develop",
    load: async () => (await import("./verbs/history-export.ts")).historyExport,
  },
  replay: {
    summary: "whether today's code does what histories record",
    group: "Develop",
    load: async () => (await import("./verbs/replay.ts")).replay,
  },
  stress: {
    summary: "two loads on a store, with their invariants checked",
    group: "Develop",
    load: async () => (await import("./verbs/stress.ts")).stress,
  },
  mcp: {
    summary: "a server for agents, over stdin and stdout",
    group: "Develop",
    load: async () => (await import("./verbs/mcp.ts")).mcp,
  },
  completion: {
    summary: "the completion of verbs and flags for a shell",
    group: "Develop",
    load: async () => (await import("./verbs/completion.ts")).completion,
  },
};
