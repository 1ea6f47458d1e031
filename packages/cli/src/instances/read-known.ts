/** An instance, or the start of one that waits in the queue. */
import type { ListedStatus, Suspended } from "@duroxide-ts/core";
import { ProviderError } from "@duroxide-ts/core/client";
import { readWaitingStart } from "@duroxide-ts/core/operate";
import type { OpenStore } from "../store/open-store.ts";

export interface Known {
  readonly orchestrationName: string;
  /** `undefined` for a start that no process has taken. */
  readonly status: ListedStatus | undefined;
  readonly suspended?: Suspended;
}

/** Rejects with `instance-not-found` where there is neither an instance nor a start. */
export async function readKnown({ client }: OpenStore, id: string, nowMs: number): Promise<Known> {
  try {
    return await client.admin.info(id);
  } catch (error) {
    if (!ProviderError.is(error, "instance-not-found")) throw error;
    const start = await readWaitingStart(client, id, nowMs);
    if (start !== undefined) return { orchestrationName: start.orchestrationName, status: undefined };
    // A process may have taken the start between the two reads.
    return client.admin.info(id);
  }
}
