/**
 * How tools answer with payloads: as the stored texts; or, where the configuration has `redact` and parts were replaced
 * when they were read, decoded. A text that the codec cannot decode is not shown then.
 */
import type { HistoryEvent, InstanceSummary, PayloadCodec } from "@duroxide-ts/core";
import { isPayloadField, withoutQuotation } from "@duroxide-ts/core/stores";
import type { InstanceView } from "../instances/read-instance.ts";
import { inJson } from "../output/payload.ts";

/** Fields of timelines and entries with a text of the codec. */
const ENCODED: ReadonlySet<string> = new Set([
  "input",
  "output",
  "result",
  "data",
  "value",
  "customStatus",
  "misfit",
]);
/** Failures have texts of their own, without the codec. */
const FAILURES: ReadonlySet<string> = new Set(["failure", "lastFailure", "details"]);

export class ShownPayloads {
  readonly #codec: PayloadCodec | undefined;

  /** `undefined`: payloads are the stored texts. */
  constructor(codec: PayloadCodec | undefined) {
    this.#codec = codec;
  }

  error(error: unknown): unknown {
    return this.#codec === undefined ? error : withoutQuotation(error);
  }

  summary(summary: InstanceSummary): object {
    // The output of a failed instance is its failure.
    if (this.#codec === undefined) return summary;
    const hasFailed = summary.status === "Failed" || summary.status === "Cancelled";
    return hasFailed ? { ...summary, output: null } : this.#record(summary);
  }

  view({ codec: _codec, summary, ...view }: InstanceView): object {
    return { summary: this.summary(summary), ...this.#record(view) };
  }

  event(event: HistoryEvent): object {
    if (this.#codec === undefined) return event;
    return Object.fromEntries(
      Object.entries(event).map(([field, value]: [string, unknown]) => [
        field,
        isPayloadField(field) ? this.#stored(value) : this.#of(field, value),
      ]),
    );
  }

  #of(field: string, value: unknown): unknown {
    if (field === "set_aside") return this.#within(value);
    return field === "carry_forward_events" && Array.isArray(value) ? `(${value.length} messages)` : value;
  }

  #record(record: object): object {
    if (this.#codec === undefined) return record;
    const fields = Object.entries(record).map(([field, value]: [string, unknown]) => [
      field,
      ENCODED.has(field) ? this.#stored(value) : FAILURES.has(field) ? value : this.#within(value),
    ]);
    return Object.fromEntries(fields) as object;
  }

  #within(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item: unknown) => this.#within(item));
    return typeof value === "object" && value !== null ? this.#record(value) : value;
  }

  #stored(text: unknown): unknown {
    if (typeof text !== "string" || this.#codec === undefined) return text;
    try {
      return inJson(this.#codec.decode(text));
    } catch {
      return "(the codec cannot decode it)";
    }
  }
}
