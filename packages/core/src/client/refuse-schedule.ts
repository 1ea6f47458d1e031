/** The instance of a schedule is changed by `client.schedules` only. */
import type { ProviderAdmin } from "../contract/admin.ts";
import type { InstanceInfo } from "../contract/instance-info.ts";
import { RefusedError } from "../errors/duroxide-error.ts";
import { isSchedule, SCHEDULE_PREFIX } from "../wire/scheduled.ts";
import { findInstance } from "./find-instance.ts";

/** Rejects with RefusedError for the instance of a schedule. Ids of other instances cost no read. */
export async function refuseSchedule(
  verb: string,
  admin: Pick<ProviderAdmin, "getInstanceInfo">,
  instanceId: string,
): Promise<void> {
  if (!instanceId.startsWith(SCHEDULE_PREFIX)) return;
  const info = await findInstance(admin, instanceId);
  if (info !== undefined) refuseScheduleOf(verb, info);
}

/** The same where the instance has been read. */
export function refuseScheduleOf(verb: string, info: InstanceInfo): void {
  if (!isSchedule(info)) return;
  const { instanceId } = info;
  throw new RefusedError(
    instanceId,
    `${verb}: "${instanceId}" is the instance of a schedule; use client.schedules or duroxide schedules`,
  );
}
