/** Many orchestrations side by side, each of which fans out to a few activities and joins them. */
import { activity, orchestration, sleep } from "@duroxide-ts/core";
import type { Provider } from "@duroxide-ts/core/stores";
import { type ParallelOptions, parallelSettings } from "./options.ts";
import type { StressResult } from "./report.ts";
import { runStress } from "./run-stress.ts";

/**
 * Runs parallel orchestrations on a store and reports the results. The store should be empty, and no other process may
 * use it meanwhile.
 */
export function stressParallelOrchestrations(
  provider: Provider,
  options: ParallelOptions = {},
): Promise<StressResult> {
  const settings = parallelSettings(options);
  const { activityDelayMs, clock, tasks } = settings;
  const processTask = activity("ProcessTask", async (_ctx, task: string) => {
    await sleep(clock, activityDelayMs);
    return `processed ${task}`;
  });
  const root = orchestration("FanoutOrchestration", async (ctx, number: number) => {
    const names = taskNames(number, tasks);
    return ctx.all(names.map((name) => ctx.scheduleActivity(processTask, name)));
  });
  return runStress(provider, {
    name: "parallel orchestrations",
    configuration: `${tasks} tasks of ${activityDelayMs} ms`,
    settings,
    root,
    orchestrations: [root],
    activities: [processTask],
    expected: (number) => taskNames(number, tasks).map((name) => `processed ${name}`),
  });
}

function taskNames(number: number, tasks: number): readonly string[] {
  return Array.from({ length: tasks }, (_, task) => `${number}-${task}`);
}
