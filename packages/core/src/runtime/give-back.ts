/** Gives work back to the store. Where the store does not take it, its lock expires by itself. */
import type { AbandonOptions } from "../contract/provider.ts";
import { ProviderError } from "../contract/provider-error.ts";
import type { LogFields, Logger } from "../define/logger.ts";

export type GiveBack = AbandonOptions;

/** `given` is the call of the store. Rejects with what is no ProviderError: that is a defect, not a busy store. */
export async function giveBack(
  given: Promise<void>,
  logger: Logger,
  fields: LogFields,
  text: string,
): Promise<void> {
  try {
    await given;
  } catch (error) {
    if (!ProviderError.is(error)) throw error;
    logger.debug({ ...fields, error }, text);
  }
}
