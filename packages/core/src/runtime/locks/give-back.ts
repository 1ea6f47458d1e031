/** Gives work back to the store. If that fails, the lock expires by itself. */
import type { AbandonOptions } from "../../contract/provider.ts";
import { ProviderError } from "../../contract/provider-error.ts";
import type { LogFields, Logger } from "../../define/logger.ts";

export type GiveBack = AbandonOptions;

/** `given` is the pending call of the store. Rejects only with an error that is not a ProviderError: a defect. */
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
