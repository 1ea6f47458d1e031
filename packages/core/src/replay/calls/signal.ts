/** `{ signal }` on a durable call: the task is cancelled when the signal aborts. */
import type { Task } from "../../define/task.ts";
import type { DurableTask } from "./durable-task.ts";

/** The one place where an untyped task gets the type that its definition promises. */
export function typedTask<T>(task: DurableTask<unknown>, signal?: AbortSignal): Task<T> {
  if (signal !== undefined) {
    const abort = (): void => task.cancel(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  }
  return task as unknown as Task<T>;
}
