/** Cancelling what was handed to a combinator: tasks can be, other promises cannot. */
import { DurableTask } from "../durable-task.ts";

export function cancelMember(member: unknown, reason: unknown): void {
  if (member instanceof DurableTask) member.cancel(reason);
}
