/**
 * Warns of payloads near the limit, once for each kind and name, so that operators can act before payloads are
 * rejected.
 */
import { BoundedMap } from "../collections/bounded-map.ts";
import type { Logger } from "../define/logger.ts";
import { describePayload, type PayloadKind } from "./payload-kind.ts";

/** The number of remembered names. Beyond it the oldest name is forgotten, and a warning for it may repeat. */
const MOST_NAMES = 1_000;

export class LargePayloads {
  readonly #logger: Pick<Logger, "warn">;
  readonly #told = new BoundedMap<string, true>(MOST_NAMES);

  constructor(logger: Pick<Logger, "warn">) {
    this.#logger = logger;
  }

  wasTold(kind: PayloadKind, name: string): boolean {
    return this.#told.get(keyOf(kind, name)) === true;
  }

  tell(kind: PayloadKind, name: string, bytes: number, limitBytes: number): void {
    this.#told.set(keyOf(kind, name), true);
    this.#logger.warn(
      { event: "payload_large", payload: kind, payload_name: name, bytes, limit_bytes: limitBytes },
      `${describePayload(kind, name)} takes ${bytes} bytes in the store, more than a tenth of maxPayloadBytes ` +
        `(${limitBytes}); each replay reads it again: store large data elsewhere and pass a reference to it`,
    );
  }
}

function keyOf(kind: PayloadKind, name: string): string {
  return `${kind} ${name}`;
}
