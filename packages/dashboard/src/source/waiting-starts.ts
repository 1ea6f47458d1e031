/** Starts that no process has taken: they are rows of the queue, and the store has no instance for them. */
import { ProviderError } from "@duroxide-ts/core";
import { readWaitingStart } from "@duroxide-ts/core/operate";
import { Refused } from "@duroxide-ts/core/web";
import type { Source } from "./source.ts";

/** The error for an instance that is not found: another one if its start waits. */
export async function notBegun(
  { client, clock }: Source,
  instanceId: string,
  error: unknown,
): Promise<unknown> {
  if (!ProviderError.is(error, "instance-not-found")) return error;
  const start = await readWaitingStart(client, instanceId, clock.now());
  if (start === undefined) return error;
  const { orchestrationName, blocked } = start;
  const why = blocked === undefined ? "" : `: ${blocked.detail}`;
  return new Refused(404, "not-begun", `The start of ${orchestrationName} waits for a process${why}`);
}

/** Rejects with the error of the store where there is neither an instance nor a start. */
export async function checkKnown({ admin, client, clock }: Source, instanceId: string): Promise<void> {
  try {
    await admin.info(instanceId);
  } catch (error) {
    if (
      !ProviderError.is(error, "instance-not-found") ||
      (await readWaitingStart(client, instanceId, clock.now())) === undefined
    )
      throw error;
  }
}
