/** Logs a start that had no effect because another instance has its id: usually an id that is not unique. */
import type { Logger } from "../../define/logger.ts";
import type { PayloadCodec } from "../../payload/payload-codec.ts";
import { samePayload } from "../../payload/same-payload.ts";
import type { HistoryIndex } from "../../replay/history/history-index.ts";
import type { Batch } from "./batch.ts";

/**
 * Repetitions of the same start are not logged. Neither are children: a message notifies their parents. A debounced start
 * was accepted for later, so nobody else hears that its instance still runs.
 */
export function logIgnoredStarts(
  { logger, codec }: { readonly logger: Logger; readonly codec: Pick<PayloadCodec, "decode"> },
  { start, refusedStarts }: Batch,
  { started }: HistoryIndex,
): void {
  for (const refused of refusedStarts) {
    const name = start?.orchestration ?? started?.name;
    const input = start?.input ?? started?.input;
    if (refused.parent_instance !== null) continue;
    if (refused.if_exists === "restart") {
      logger.warn(
        {
          event: "debounced_start_dropped",
          instance_id: refused.instance,
          orchestration_name: refused.orchestration,
        },
        "a debounced start was due while its instance runs, and is dropped with its input; start it again when that has ended, or send what it reads to a queue of the instance",
      );
      continue;
    }
    if (refused.orchestration === name && samePayload(codec, refused.input, input ?? "")) continue;
    logger.debug(
      { event: "start_ignored", instance_id: refused.instance, orchestration_name: refused.orchestration },
      "a start had no effect: its id is taken by an instance with another input; ifExists says what else may happen",
    );
  }
}
