/** Changes of instances by operators: how the verbs are called, and what a kill must not leave of them. */
import { type Admin, Client, silentLogger } from "@duroxide-ts/core";
import type { Document } from "../../invariants/documents.ts";
import type { Stage } from "../../support/stage.ts";

export type Performer = Pick<Stage, "provider" | "clock">;

export function adminOf({ provider, clock }: Performer): Admin {
  return new Client(provider, { clock, logger: silentLogger }).admin;
}

/** A verb that begins the next execution of "a", unless it was done. */
export async function inSecondExecution(
  stage: Performer,
  verb: (admin: Admin) => Promise<unknown>,
): Promise<void> {
  const admin = adminOf(stage);
  if ((await admin.info("a")).currentExecutionId === 1) await verb(admin);
}

export async function terminateIfRunning(stage: Performer, instanceId: string): Promise<void> {
  const admin = adminOf(stage);
  if ((await admin.info(instanceId)).status === "Running")
    await admin.terminate(instanceId, { reason: "stuck", by: "ada" });
}

/** The current execution of each instance begins with its first event, and none is stored beyond it. */
export const EXECUTIONS_ARE_WHOLE_OR_ABSENT = (documents: readonly Document[]): readonly string[] =>
  documents
    .filter(({ type }) => type === "instance")
    .flatMap(({ instanceId, currentExecutionId }) => {
      const events = documents.filter((each) => each.type === "history" && each.instanceId === instanceId);
      const isCurrent = ({ executionId, eventId }: Document): boolean =>
        executionId === currentExecutionId && eventId === 1;
      const isBeyond = ({ executionId }: Document): boolean =>
        Number(executionId) > Number(currentExecutionId);
      return [
        ...(events.some(isCurrent) ? [] : [`execution ${currentExecutionId} of ${instanceId} has no start`]),
        ...(events.some(isBeyond) ? [`${instanceId} has events of a later execution`] : []),
      ];
    });
