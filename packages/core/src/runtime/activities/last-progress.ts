/** Progress that an activity had reported when its last delivery was lost, or before its last retry. */
import type { FetchedWork } from "../../contract/provider.ts";
import type { Progress } from "../../define/progress.ts";
import type { RuntimeSettings } from "../options/options.ts";
import { callOf, isRepeated } from "./writing-delivery.ts";

/**
 * Reads it for a delivery that repeats another one; other deliveries do not wait. Without it the handler begins from the
 * beginning, so a failure is no fault.
 */
export function lastProgressOf(
  settings: RuntimeSettings,
  fetched: FetchedWork,
): Promise<Progress | undefined> | undefined {
  return isRepeated(fetched) && settings.provider.readProgress !== undefined
    ? read(settings, fetched)
    : undefined;
}

async function read(
  { provider, codec, logger }: RuntimeSettings,
  { item }: FetchedWork,
): Promise<Progress | undefined> {
  try {
    const [last] = (await provider.readProgress?.(item.instance, callOf(item))) ?? [];
    return last && (codec.decode(last.value) as Progress);
  } catch (error) {
    logger.warn(
      { event: "progress_not_read", instance_id: item.instance, error },
      "the progress of an earlier delivery could not be read; the activity begins without it",
    );
    return undefined;
  }
}
