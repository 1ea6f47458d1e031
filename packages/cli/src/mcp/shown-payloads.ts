/**
 * What tools answer with where the configuration has `redact`: payloads as decoded values with parts replaced. A text
 * that the codec cannot decode is not shown, because it could be what would have been replaced. Without `redact`
 * payloads are the stored texts.
 */
import type {
  ErrorDetails,
  HistoryEvent,
  InstanceSummary,
  InstanceTimeline,
  PayloadCodec,
} from "@duroxide-ts/core";
import { isPayloadField, payloadPath, type RedactPayload, redactValue } from "@duroxide-ts/core/stores";
import type { InstanceView } from "../instances/read-instance.ts";

type Step = InstanceTimeline["steps"][number];

/** Texts of events that are no payloads, and may quote one. */
const PLAIN_FIELDS: ReadonlySet<string> = new Set(["message", "last_error", "reason", "error"]);

export class ShownPayloads {
  readonly #redact: RedactPayload | undefined;
  readonly #codec: PayloadCodec | undefined;

  constructor(redact: RedactPayload | undefined, codec: PayloadCodec | undefined) {
    this.#redact = redact;
    this.#codec = codec;
  }

  summary(summary: InstanceSummary): object {
    if (this.#redact === undefined) return summary;
    const { output, failure, ...rest } = summary;
    // The output of a failed instance is its failure.
    const shown = summary.status === "Failed" ? null : this.#stored(output, "output");
    return { ...rest, output: shown, ...(failure !== undefined && { failure: this.#failureOf(failure) }) };
  }

  view({ codec: _codec, ...view }: InstanceView): object {
    if (this.#redact === undefined) return view;
    const { summary, timeline, customStatus, entries, ...rest } = view;
    return {
      ...rest,
      summary: this.summary(summary),
      timeline: this.timeline(timeline),
      ...(customStatus !== undefined && { customStatus: this.#stored(customStatus, "status") }),
      entries: entries.map(({ key, value }) => ({ key, value: this.#stored(value, `kv.${key}`) })),
    };
  }

  timeline(timeline: InstanceTimeline): object {
    if (this.#redact === undefined) return timeline;
    const { input, output, failure, cancelRequested, begunByHand, steps, waits, unread, ...rest } = timeline;
    return {
      ...rest,
      input: this.#stored(input, "input"),
      output: this.#stored(output, "output"),
      failure: this.#details(failure),
      ...(cancelRequested !== undefined && {
        cancelRequested: { ...cancelRequested, reason: this.#value(cancelRequested.reason, "error.message") },
      }),
      ...(begunByHand !== undefined && {
        begunByHand: { ...begunByHand, reason: this.#value(begunByHand.reason, "error.message") },
      }),
      steps: steps.map((step) => this.#step(step)),
      waits: waits.map(({ lastFailure, ...wait }) => ({ ...wait, lastFailure: this.#details(lastFailure) })),
      unread: unread.map(({ data, ...it }) => ({ ...it, data: this.#stored(data, `${it.kind}.${it.name}`) })),
    };
  }

  event(event: HistoryEvent): object {
    if (this.#redact === undefined) return event;
    return Object.fromEntries(
      Object.entries(event).map(([field, value]: [string, unknown]) => [
        field,
        this.#field(event, field, value),
      ]),
    );
  }

  #field(event: HistoryEvent, field: string, value: unknown): unknown {
    if (field === "details") return this.#value(value, "error");
    if (field === "carry_forward_events" && Array.isArray(value)) return `(${value.length} messages)`;
    if (typeof value !== "string") return value;
    if (PLAIN_FIELDS.has(field)) return this.#value(value, `error.${field}`);
    return isPayloadField(field) ? this.#stored(value, payloadPath(event, field)) : value;
  }

  /** Of a step, and of its attempts. */
  #step(step: Step): object {
    const shown: Record<string, unknown> = { ...step };
    if ("input" in step) shown["input"] = this.#stored(step.input, "input");
    if ("result" in step) shown["result"] = this.#stored(step.result, "result");
    if ("failure" in step) shown["failure"] = this.#details(step.failure);
    if ("data" in step) shown["data"] = this.#stored(step.data, `${step.kind}.${step.name}`);
    if ("attempts" in step) {
      shown["attempts"] = step.attempts.map(({ result, failure, ...attempt }) => ({
        ...attempt,
        result: this.#stored(result, "result"),
        failure: this.#details(failure),
      }));
    }
    return shown;
  }

  #failureOf({ message, details, ...rest }: NonNullable<InstanceSummary["failure"]>): object {
    return { ...rest, message: this.#value(message, "error.message"), details: this.#details(details) };
  }

  #details(details: ErrorDetails | undefined): unknown {
    return details === undefined ? undefined : this.#value(details, "error");
  }

  #stored(text: string | null | undefined, path: string): unknown {
    if (text === undefined || text === null) return text;
    let value: unknown;
    try {
      value = this.#codec === undefined ? JSON.parse(text) : this.#codec.decode(text);
    } catch {
      return "(the codec cannot decode it)";
    }
    return this.#value(value, path);
  }

  #value(value: unknown, path: string): unknown {
    return this.#redact === undefined ? value : redactValue(value, path, this.#redact);
  }
}
