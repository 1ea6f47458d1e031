/** Gives work back to the store. Where even that fails, its lock expires by itself. */
import type { AbandonOptions, FetchedOrchestration, FetchedWork } from "../contract/provider.ts";
import { ProviderError } from "../contract/provider-error.ts";
import type { RuntimeSettings } from "./options.ts";

export type GiveBack = AbandonOptions;

export async function giveBackActivity(
  { provider, logger }: RuntimeSettings,
  { item, lockToken }: FetchedWork,
  options: GiveBack,
): Promise<void> {
  try {
    await provider.abandonWorkItem(lockToken, options);
  } catch (error) {
    if (!ProviderError.is(error)) throw error;
    const fields = { instance_id: item.instance, activity_name: item.name, activity_id: item.id };
    logger.debug(
      { event: "activity_not_given_back", ...fields, error },
      "giving an activity back failed; its lock will expire",
    );
  }
}

export async function giveBackBatch(
  { provider, logger }: RuntimeSettings,
  { item, lockToken }: FetchedOrchestration,
  options: GiveBack,
): Promise<void> {
  try {
    await provider.abandonOrchestrationItem(lockToken, options);
  } catch (error) {
    logger.debug(
      { event: "batch_not_given_back", instance_id: item.instanceId, error },
      "giving a batch back failed; its lock will expire",
    );
  }
}
