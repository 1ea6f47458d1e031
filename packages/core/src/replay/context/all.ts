/**
 * Waits for several tasks. Unlike `Promise.all`, `all` waits for all to settle before it rejects: otherwise the code would
 * go on while calls that it started are open, and the error would depend on which failed first instead of on the order of
 * the arguments. It does not wait after a mistake of the code, which is to block the turn in which it comes.
 */
import { isDefect } from "../../errors/defect.ts";
import { DurableTask } from "../calls/durable-task.ts";
import { type StartBranch, startMember } from "./member.ts";

/** Values in argument order, or the first error in argument order once all have settled. */
export function waitForAll(entries: readonly unknown[], startBranch: StartBranch): DurableTask<unknown> {
  const finish: Finish = (task, settled) => {
    const failed = settled.find((result) => result.status === "rejected");
    if (failed !== undefined) task.reject(failed.reason);
    else task.fulfil(settled.map((result) => (result as PromiseFulfilledResult<unknown>).value));
  };
  return join(entries, startBranch, finish, (task, reason) => {
    if (isDefect(reason)) task.reject(reason);
  });
}

export function waitForAllSettled(
  entries: readonly unknown[],
  startBranch: StartBranch,
): DurableTask<unknown> {
  return join(entries, startBranch, (task, settled) => task.fulfil(settled));
}

type Finish = (task: DurableTask<unknown>, settled: PromiseSettledResult<unknown>[]) => void;

function join(
  entries: readonly unknown[],
  startBranch: StartBranch,
  finish: Finish,
  onRejected?: (task: DurableTask<unknown>, reason: unknown) => void,
): DurableTask<unknown> {
  const members = entries.map((entry) => startMember(entry, startBranch));
  const task = new DurableTask<unknown>((reason) => {
    for (const member of members) member.drop(reason);
  });
  const settled = new Array<PromiseSettledResult<unknown>>(members.length);
  let missing = members.length;
  const settle = (index: number, result: PromiseSettledResult<unknown>): void => {
    settled[index] = result;
    missing--;
    if (result.status === "rejected") onRejected?.(task, result.reason);
    if (missing === 0) finish(task, settled);
  };
  for (const [index, { result }] of members.entries()) {
    result.then(
      (value: unknown) => settle(index, { status: "fulfilled", value }),
      (reason: unknown) => settle(index, { status: "rejected", reason }),
    );
  }
  if (missing === 0) finish(task, settled);
  return task;
}
