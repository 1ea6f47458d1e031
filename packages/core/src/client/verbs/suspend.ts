/** Suspends an instance: no turn of it begins until it is resumed, and all messages to it wait. */
import { RefusedError } from "../../errors/duroxide-error.ts";
import { isOver, logVerb, revise, suspendedNow, type VerbTools } from "./revising.ts";
import type { ResumeOptions, ResumeResult, SuspendResult, WithReason } from "./verb-options.ts";

const NOTE =
  "activities that run continue, and their results wait; a cancellation waits too (terminate does not). Rust workers do not know suspended instances, and run them";

export async function suspend(
  tools: VerbTools,
  instanceId: string,
  options: WithReason,
): Promise<SuspendResult> {
  const result = await revise(tools, "suspend", instanceId, ({ info }) => {
    if (isOver(info)) {
      throw new RefusedError(instanceId, `suspend: instance "${instanceId}" has ended (${info.status})`);
    }
    const suspended = suspendedNow(tools, options);
    return { revision: { suspended }, result: { suspended, note: NOTE } };
  });
  logVerb(tools, "suspend", instanceId, options);
  return result;
}

export async function resume(
  tools: VerbTools,
  instanceId: string,
  options: ResumeOptions,
): Promise<ResumeResult> {
  const result = await revise(tools, "resume", instanceId, ({ info }) => ({
    revision: { suspended: null },
    result: { resumed: info.suspended !== undefined },
  }));
  if (result.resumed) logVerb(tools, "resume", instanceId, options);
  return result;
}
