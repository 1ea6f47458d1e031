/** Waiting for several tasks. Unlike `Promise.all`, `all` hears them all out before it rejects. */

import { runMarked } from "../../guard/orchestration-frame.ts";
import { DurableTask } from "../durable-task.ts";
import { cancelMember } from "./member.ts";

type Values<T extends readonly unknown[]> = { -readonly [K in keyof T]: Awaited<T[K]> };
type Settlements<T extends readonly unknown[]> = {
  -readonly [K in keyof T]: PromiseSettledResult<Awaited<T[K]>>;
};

/** Values in argument order, or the first error in argument order once all have settled. */
export function waitForAll<const T extends readonly unknown[]>(members: T): DurableTask<Values<T>> {
  return join(members, (task: DurableTask<Values<T>>, settled) => {
    const failed = settled.find((result) => result.status === "rejected");
    if (failed !== undefined) task.reject(failed.reason);
    else task.fulfil(settled.map((result) => (result as PromiseFulfilledResult<unknown>).value) as Values<T>);
  });
}

export function waitForAllSettled<const T extends readonly unknown[]>(
  members: T,
): DurableTask<Settlements<T>> {
  return join(members, (task: DurableTask<Settlements<T>>, settled) =>
    task.fulfil(settled as Settlements<T>),
  );
}

function join<R>(
  members: readonly unknown[],
  finish: (task: DurableTask<R>, settled: PromiseSettledResult<unknown>[]) => void,
): DurableTask<R> {
  const task = new DurableTask<R>((reason) => {
    for (const member of members) cancelMember(member, reason);
  });
  const settled = new Array<PromiseSettledResult<unknown>>(members.length);
  let missing = members.length;
  const settle = (index: number, result: PromiseSettledResult<unknown>): void => {
    settled[index] = result;
    missing--;
    if (missing === 0) finish(task, settled);
  };
  for (const [index, member] of members.entries()) {
    const promise = member instanceof DurableTask ? member : runMarked(() => member);
    promise.then(
      (value: unknown) => settle(index, { status: "fulfilled", value }),
      (reason: unknown) => settle(index, { status: "rejected", reason }),
    );
  }
  if (missing === 0) finish(task, settled);
  return task;
}
