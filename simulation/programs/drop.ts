/**
 * The step of a program that ends while some of its children have not begun, and that starts other instances, which
 * stay. All of them carry a mark that each execution draws:
 *
 * - The instances have it in their ids. A client that has read the result of an execution knows that they run, whatever
 *   happens to the program afterwards.
 * - The children have it in their inputs, because they have the same ids in each life of the program
 *   (checks/stray-children.ts).
 */
import type { OrchestrationContext } from "@duroxide-ts/core";
import { NAME, type Step, type Task } from "./step.ts";

/** Each execution starts so many instances. */
export const DETACHED = 3;

interface Dropped {
  /** Ids. */
  readonly detached: readonly string[];
}

export async function drop(ctx: OrchestrationContext, steps: readonly Step[]): Promise<Dropped> {
  const mark = await ctx.newGuid();
  const detached = Array.from({ length: DETACHED }, (_, number) => `${ctx.instanceId}-${mark}-${number}`);
  for (const instanceId of detached) detach(ctx, instanceId, []);
  const children = steps.map((step) => (branch: OrchestrationContext) => {
    const task: Task = { steps: [step], results: [], mark };
    return branch.scheduleSubOrchestration(NAME, task);
  });
  await ctx.race([
    (branch: OrchestrationContext) => branch.scheduleTimer({ ms: 0 }),
    (branch: OrchestrationContext) => branch.all(children),
  ]);
  return { detached };
}

export function detach(
  ctx: OrchestrationContext,
  instanceId: string,
  steps: readonly Step[],
  afterMs?: number,
): void {
  const after = afterMs === undefined ? {} : { after: { ms: afterMs } };
  ctx.startOrchestration(NAME, { instanceId, input: { steps, results: [] } satisfies Task, ...after });
}

/** The ids in the result of a program. */
export function detachedIn(result: unknown): readonly string[] {
  return Array.isArray(result) ? result.flatMap((each: Partial<Dropped> | null) => each?.detached ?? []) : [];
}
