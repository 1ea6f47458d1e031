/** Stored events, each decoded once in a run: they are looked at again and again, and do not change. */
import type { HistoryEvent } from "@duroxide-ts/core";
import { decodeEvent } from "@duroxide-ts/core/stores";

export class DecodedEvents {
  readonly #byText = new Map<string, HistoryEvent>();

  decode(text: string): HistoryEvent {
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const event = decodeEvent(text);
    this.#byText.set(text, event);
    return event;
  }
}
