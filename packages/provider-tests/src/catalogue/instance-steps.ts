/** The steps and expectations of the cases about deleting instances. */
import type { DeleteResult } from "@duroxide-ts/core/stores";
import type { Caller, CaseContext } from "../context.ts";
import { executionIds } from "../reads.ts";
import { createInstance, type NewInstance } from "../steps.ts";

/** An instance that ended in its first turn, which stored one event. */
export async function createCompleted(
  caller: Caller,
  instance: string,
  more: Pick<NewInstance, "parentInstanceId" | "workerItems"> = {},
): Promise<void> {
  await createInstance(caller, instance, { metadata: { status: "Completed", output: "{}" }, ...more });
}

/** "root" with "left" and "right", and "leaf" below "left"; all of them completed. */
export async function createFamily(caller: Caller): Promise<void> {
  await createCompleted(caller, "root");
  await createCompleted(caller, "left", { parentInstanceId: "root" });
  await createCompleted(caller, "right", { parentInstanceId: "root" });
  await createCompleted(caller, "leaf", { parentInstanceId: "left" });
}

export async function checkGone({ provider, admin, check }: CaseContext, instance: string): Promise<void> {
  await check.rejects(admin.getInstanceInfo(instance), "instance-not-found", `${instance}, which is gone`);
  check.equal(await executionIds(admin, instance), [], `executions of ${instance}`);
  check.equal(await provider.readHistory(instance), [], `history of ${instance}`);
}

export async function checkThere({ provider, admin, check }: CaseContext, instance: string): Promise<void> {
  check.equal((await admin.getInstanceInfo(instance)).instanceId, instance, `${instance}, which remains`);
  check.notEqual(await provider.readHistory(instance), [], `history of ${instance}`);
}

/** Checks what was deleted, beside messages, of instances with one execution and one event each. */
export function checkDeleted({ check }: CaseContext, result: DeleteResult, instances: number): void {
  const { instancesDeleted, executionsDeleted, eventsDeleted } = result;
  check.equal(
    { instancesDeleted, executionsDeleted, eventsDeleted },
    { instancesDeleted: instances, executionsDeleted: instances, eventsDeleted: instances },
    "what was deleted",
  );
}
