/** The one orchestration and the one activity of all random programs, in several versions of the code. */
import {
  type ActivityContext,
  type AnyActivity,
  type AnyOrchestration,
  activity,
  type Task as DurableTask,
  event,
  type KeptEventDefinition,
  type OrchestrationContext,
  orchestration,
  queue,
  type StandardSchema,
  type StepOptions,
  sleep,
} from "@duroxide-ts/core";
import type { Machine } from "../world/machine.ts";
import { detach, drop } from "./drop.ts";
import type { Ledger } from "./ledger.ts";
import { runSaga } from "./saga.ts";
import {
  CLEAN_UP_ID,
  COUNT,
  KEYS,
  NAME,
  type ReceiveStep,
  type Step,
  type Task,
  type WorkStep,
} from "./step.ts";
import { TALK, wordOf } from "./streams.ts";

export const VERSIONS = ["1.0.0", "1.1.0"] as const;

/** The process in which code runs. */
interface Here {
  readonly machine: Machine;
  readonly ledger: Ledger;
}

/** `here`: undefined for replays, which run no step. */
export function orchestrations(
  versions: readonly string[],
  here: Here | undefined,
): readonly AnyOrchestration[] {
  return versions.map((version) =>
    orchestration(NAME, { version }, async (ctx, task: Task): Promise<unknown> => {
      // The versions differ in the events that they write.
      if (version !== VERSIONS[0]) await ctx.newGuid();
      return carryOut(here, ctx, task);
    }),
  );
}

/** Messages are texts: a program never sees what else a client sends. */
const TEXT: StandardSchema<string> = {
  "~standard": {
    version: 1,
    vendor: "simulation",
    validate: (value) => (typeof value === "string" ? { value } : { issues: [{ message: "is no text" }] }),
  },
};

/** An event whose arrivals wait until the program asks for them. */
export function keptEvent(name: string): KeptEventDefinition<string> {
  return event(name, { keep: true, schema: TEXT });
}

/** `takesTag`: whether the process is to be given what has the tag. */
export function activities(
  here: Here,
  takesTag: (tag: string | undefined) => boolean,
): readonly AnyActivity[] {
  return [
    activity("work", async (ctx, step: WorkStep) => {
      const { tag } = step;
      if (!takesTag(tag)) throw new Error(`given to a process that does not take tag ${tag}`);
      return doWork(here, ctx, step);
    }),
  ];
}

async function doWork(
  here: Here | undefined,
  ctx: ActivityContext,
  step: WorkStep,
): Promise<{ readonly id: number; readonly run: number; readonly text: string }> {
  if (here === undefined) throw new Error("a replay runs a step");
  const { id, takesMs, failures, size, isFatal, session, limit, says = 0 } = step;
  const { machine, ledger } = here;
  const { attempt, end } = ledger.begin(ctx, machine, { session, limit });
  try {
    if (says > 0) await speak(machine, ctx, step, says);
    else if (takesMs > 0) await sleep(machine, takesMs, ctx.signal);
    if (isFatal && !ledger.isMended(ctx.instanceId)) throw new Error("not mended yet");
    if (attempt <= failures) throw new Error(`attempt ${attempt}`);
    return { id, run: ledger.runs, text: "x".repeat(size) };
  } finally {
    end();
  }
}

/** The time of the work is between its values. */
async function speak(machine: Machine, ctx: ActivityContext, step: WorkStep, says: number): Promise<void> {
  const stream = ctx.stream<string>(TALK);
  for (let number = 0; number < says; number++) {
    const written = stream.write(wordOf(step, number));
    if (number % 2 === 0) await written;
    const ms = Math.floor(step.takesMs / says);
    if (ms > 0) await sleep(machine, ms, ctx.signal);
  }
}

async function carryOut(here: Here | undefined, ctx: OrchestrationContext, task: Task): Promise<unknown> {
  const { steps, results, cleansUp = false } = task;
  ctx.answer(COUNT, async (number, branch) => {
    if (number % 3 === 2) throw new Error(`not asked for ${number}`);
    return number % 3 === 1 ? `${number}` : branch.newGuid();
  });
  if (cleansUp) ctx.onCancel(cleanUp, { timeout: { ms: CLEAN_UP_MS } });
  const done = [...results];
  for (const [at, step] of steps.entries()) {
    if (step.do === "again") {
      return ctx.continueAsNew(NAME, {
        steps: steps.slice(at + 1),
        results: done,
        cleansUp,
      } satisfies Task);
    }
    done.push(await perform(here, ctx, step));
  }
  return done;
}

/** Its timer stays when the clean-up is over, so it is shorter than the time in which all is tidy. */
const CLEAN_UP_MS = 40_000;

async function cleanUp(ctx: OrchestrationContext): Promise<void> {
  const step: WorkStep = { do: "work", id: CLEAN_UP_ID, takesMs: 20, failures: 0, attempts: 1, size: 1 };
  await ctx.scheduleActivity("work", step);
}

async function perform(here: Here | undefined, ctx: OrchestrationContext, step: Step): Promise<unknown> {
  switch (step.do) {
    case "work":
      return work(here, ctx, step);
    case "saga":
      return runSaga(ctx, step, (run, each) => doWork(here, run, each));
    case "timer":
      await ctx.scheduleTimer({ ms: step.ms });
      return "timer";
    case "receive":
      return receive(ctx, step);
    case "child":
      return ctx.scheduleSubOrchestration(NAME, { steps: step.steps, results: [] } satisfies Task, {
        inheritTags: true,
      });
    case "detach":
      detach(ctx, step.instanceId, step.steps, step.afterMs);
      return "detached";
    case "drop":
      return drop(ctx, step.steps);
    case "write":
      ctx.kv.set(step.key, step.value);
      return ctx.kv.get(step.key);
    case "erase":
      if (step.key === undefined) ctx.kv.clear();
      else ctx.kv.delete(step.key);
      return ctx.kv.get(step.key ?? KEYS[0]) ?? "nothing";
    case "read":
      return ctx.kv.get(step.key) ?? "nothing";
    case "status":
      ctx.setCustomStatus(step.value);
      ctx.setTags({ status: step.value });
      return ctx.getCustomStatus();
    case "say":
      ctx.stream<string>(TALK).write(step.word);
      return "said";
    case "system":
      return typeof (await ctx.utcNow()) === "number" && typeof (await ctx.newGuid()) === "string";
    case "all":
      return ctx.all(step.steps.map((each) => (branch: OrchestrationContext) => perform(here, branch, each)));
    case "race": {
      const branches = step.steps.map(
        (each) => (branch: OrchestrationContext) => perform(here, branch, each),
      );
      const { index, value } = await ctx.race(branches);
      return { index, value };
    }
    case "again":
      throw new Error("a program goes on in a new execution between two of its steps only");
  }
}

/** Its timer stays in the queue when a message has come, so it is shorter than the time in which all is tidy. */
const MOST_PATIENCE_MS = 20_000;

async function receive(ctx: OrchestrationContext, { from, name, patienceMs }: ReceiveStep): Promise<unknown> {
  const next = (): DurableTask<unknown> =>
    from === "queue" ? ctx.dequeue(queue(name, { schema: TEXT })) : ctx.waitForEvent(keptEvent(name));
  if (patienceMs === undefined) return next();
  for (let ms = patienceMs; ; ms = Math.min(2 * ms, MOST_PATIENCE_MS)) {
    const { index, value } = await ctx.race([next(), ctx.scheduleTimer({ ms })]);
    if (index === 0) return value;
  }
}

async function work(here: Here | undefined, ctx: OrchestrationContext, step: WorkStep): Promise<unknown> {
  const { session, tag, attempts, givenSize, inPlace, limit, priority } = step;
  const input = givenSize === undefined ? step : { ...step, given: "x".repeat(givenSize) };
  const options: StepOptions = {
    ...(session !== undefined && { session }),
    ...(limit !== undefined && { limit }),
    ...(priority !== undefined && { priority }),
    ...(attempts > 1 && {
      retry: { maxAttempts: attempts, backoff: { kind: "fixed", delay: { ms: 50 } } },
    }),
  };
  try {
    if (inPlace !== true)
      return await ctx.scheduleActivity("work", input, { ...options, ...(tag !== undefined && { tag }) });
    // What a step captures, it has also after a takeover.
    const entry = ctx.kv.get(KEYS[0]);
    const done = await ctx.run(
      "work",
      async (run) => ({ ...(await doWork(here, run, step)), entry }),
      options,
    );
    return done.entry === entry ? done : `the step captured ${entry} and got ${done.entry}`;
  } catch (error) {
    if (step.isFatal) throw error;
    return { failed: step.id, because: error instanceof Error ? error.name : "" };
  }
}
