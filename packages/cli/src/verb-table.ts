/** The verbs. Each is loaded when it is called, so that the command starts fast. */
import type { Verb, VerbEntry, VerbTable } from "./command/verb.ts";

type Named = Readonly<Record<string, readonly [summary: string, load: () => Promise<Verb>]>>;

const GROUPS: Readonly<Record<VerbEntry["group"], Named>> = {
  Look: {
    list: ["instances, newest first", async () => (await import("./verbs/list.ts")).list],
    count: [
      "how many instances match, by status, name and version",
      async () => (await import("./verbs/count.ts")).count,
    ],
    show: ["one instance: steps, waits, errors, state", async () => (await import("./verbs/show.ts")).show],
    stream: [
      "the values of a stream, and the progress of steps",
      async () => (await import("./verbs/stream.ts")).stream,
    ],
    history: ["the events of an instance", async () => (await import("./verbs/history.ts")).history],
    result: [
      "waits for an instance and prints its result",
      async () => (await import("./verbs/result.ts")).result,
    ],
    "schedules list": [
      "all schedules, with their next and last due times",
      async () => (await import("./verbs/schedules-list.ts")).schedulesList,
    ],
    "schedules get": [
      "one schedule: rules, pause, changes",
      async () => (await import("./verbs/schedules-get.ts")).schedulesGet,
    ],
    "schedules next": [
      "the due times to come",
      async () => (await import("./verbs/schedules-next.ts")).schedulesNext,
    ],
    "schedules runs": [
      "the runs of a schedule, newest first",
      async () => (await import("./verbs/schedules-runs.ts")).schedulesRuns,
    ],
  },
  Steer: {
    start: ["starts an orchestration", async () => (await import("./verbs/start.ts")).start],
    raise: ["sends an event to an instance", async () => (await import("./verbs/raise.ts")).raise],
    enqueue: [
      "adds a message to a queue of an instance",
      async () => (await import("./verbs/enqueue.ts")).enqueue,
    ],
    redeliver: [
      "delivers a message again that did not fit its wait",
      async () => (await import("./verbs/redeliver.ts")).redeliver,
    ],
    ask: ["asks a running instance, and prints its answer", async () => (await import("./verbs/ask.ts")).ask],
    cancel: ["asks instances to end", async () => (await import("./verbs/cancel.ts")).cancel],
    suspend: [
      "no turn of instances runs until they are resumed",
      async () => (await import("./verbs/suspend.ts")).suspend,
    ],
    resume: ["ends a suspension", async () => (await import("./verbs/resume.ts")).resume],
    retry: [
      "tries failed instances again from before their failure",
      async () => (await import("./verbs/retry.ts")).retry,
    ],
    rewind: [
      "goes back to an event; what came after it is done again",
      async () => (await import("./verbs/rewind.ts")).rewind,
    ],
    restart: [
      "begins instances that have ended once more",
      async () => (await import("./verbs/restart.ts")).restart,
    ],
    terminate: [
      "ends instances now, without running their code",
      async () => (await import("./verbs/terminate.ts")).terminate,
    ],
    delete: [
      "removes instances with their histories",
      async () => (await import("./verbs/delete.ts")).deleteVerb,
    ],
    prune: ["removes old executions of instances", async () => (await import("./verbs/prune.ts")).prune],
    "schedules pause": [
      "no due time of schedules runs until they are resumed",
      async () => (await import("./verbs/schedules-pause.ts")).schedulesPause,
    ],
    "schedules resume": [
      "ends a pause of schedules",
      async () => (await import("./verbs/schedules-resume.ts")).schedulesResume,
    ],
    "schedules trigger": [
      "starts a run of a schedule now",
      async () => (await import("./verbs/schedules-trigger.ts")).schedulesTrigger,
    ],
    "schedules backfill": [
      "runs the due times of a period",
      async () => (await import("./verbs/schedules-backfill.ts")).schedulesBackfill,
    ],
    "schedules delete": [
      "forgets schedules; their runs stay",
      async () => (await import("./verbs/schedules-delete.ts")).schedulesDelete,
    ],
    "schedules apply": [
      "makes schedules as a file says",
      async () => (await import("./verbs/schedules-apply.ts")).schedulesApply,
    ],
  },
  Operate: {
    workers: ["the processes that run instances", async () => (await import("./verbs/workers.ts")).workers],
    queues: ["what waits in the queues", async () => (await import("./verbs/queues.ts")).queues],
    "dead-letters list": [
      "rows that no process could read",
      async () => (await import("./verbs/dead-letters-list.ts")).deadLettersList,
    ],
    "dead-letters show": [
      "one dead letter with its text",
      async () => (await import("./verbs/dead-letters-show.ts")).deadLettersShow,
    ],
    "dead-letters requeue": [
      "puts dead letters back into their queue",
      async () => (await import("./verbs/dead-letters-requeue.ts")).deadLettersRequeue,
    ],
    "dead-letters drop": [
      "deletes dead letters",
      async () => (await import("./verbs/dead-letters-drop.ts")).deadLettersDrop,
    ],
    "limits list": [
      "limits of keys, with what runs and waits",
      async () => (await import("./verbs/limits-list.ts")).limitsList,
    ],
    "limits get": [
      "what runs and waits under one key",
      async () => (await import("./verbs/limits-get.ts")).limitsGet,
    ],
    "limits set": [
      "how many of a key run at a time, or begin in a period",
      async () => (await import("./verbs/limits-set.ts")).limitsSet,
    ],
    "limits delete": [
      "removes the limit of a key",
      async () => (await import("./verbs/limits-delete.ts")).limitsDelete,
    ],
    doctor: [
      "what is wrong with a store, and what mends it",
      async () => (await import("./verbs/doctor.ts")).doctor,
    ],
    top: ["a live view of what runs", async () => (await import("./verbs/top.ts")).top],
    backup: [
      "a copy of a SQLite store while it is used",
      async () => (await import("./verbs/backup.ts")).backup,
    ],
    export: [
      "instances as lines of JSON, for another store",
      async () => (await import("./verbs/export.ts")).exportVerb,
    ],
    import: ["stores the instances of an export", async () => (await import("./verbs/import.ts")).importVerb],
    dashboard: [
      "the dashboard of a store in a browser",
      async () => (await import("./verbs/dashboard.ts")).dashboard,
    ],
  },
  Develop: {
    "history export": [
      "histories as files, for replay",
      async () => (await import("./verbs/history-export.ts")).historyExport,
    ],
    replay: [
      "whether today's code does what histories record",
      async () => (await import("./verbs/replay.ts")).replay,
    ],
    stress: [
      "two loads on a store, with their invariants checked",
      async () => (await import("./verbs/stress.ts")).stress,
    ],
    mcp: ["a server for agents, over stdin and stdout", async () => (await import("./verbs/mcp.ts")).mcp],
    completion: [
      "the completion of verbs and flags for a shell",
      async () => (await import("./verbs/completion.ts")).completion,
    ],
  },
};

export const VERBS: VerbTable = Object.fromEntries(
  Object.entries(GROUPS).flatMap(([group, verbs]) =>
    Object.entries(verbs).map(([name, [summary, load]]) => [
      name,
      { summary, group: group as VerbEntry["group"], load },
    ]),
  ),
);
