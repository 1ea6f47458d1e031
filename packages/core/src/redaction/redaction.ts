/** The shown form of records of a store where `redact` decides: the table of their texts. */
import type { ExecutionInfo } from "../contract/admin.ts";
import type { InstanceInfo } from "../contract/instance-info.ts";
import type { LimitState } from "../contract/limits.ts";
import { type ListedStatus, storedStatus } from "../contract/listed-status.ts";
import type { StoredProgress } from "../contract/progress.ts";
import type { InstanceStatus } from "../contract/provider.ts";
import type { DeadLetter, InstanceSummary } from "../contract/queries.ts";
import type { Blocked } from "../contract/status.ts";
import { storedJson } from "../contract/stored-notes.ts";
import type { StreamPage } from "../contract/streams.ts";
import type { PayloadCodec } from "../payload/payload-codec.ts";
import { CANCELLED_PREFIX } from "../wire/error-details.ts";
import type { HistoryEvent } from "../wire/event.ts";
import { replaceEventTexts } from "./event-texts.ts";
import { RedactedTexts } from "./redacted-texts.ts";
import type { RedactedValues } from "./redacted-values.ts";

export class Redaction {
  readonly #texts: RedactedTexts;

  constructor(values: RedactedValues, codec: PayloadCodec) {
    this.#texts = new RedactedTexts(values, codec);
  }

  events(events: readonly HistoryEvent[]): readonly HistoryEvent[] {
    return replaceEventTexts(events, {
      payload: (text, path) => this.#texts.payload(text, path),
      reason: (text) => this.#texts.message(text),
      details: (details) => this.#texts.details(details),
    });
  }

  status(status: InstanceStatus): InstanceStatus {
    const { customStatus, failure } = status;
    return {
      ...status,
      output: this.#output(status.status, status.output),
      customStatus: this.customStatus(customStatus),
      ...(failure !== undefined && { failure: this.#texts.details(failure) }),
    };
  }

  /** The state of a schedule, of which the input and the reasons are of users. */
  schedule(status: InstanceStatus): InstanceStatus {
    const state = storedJson(status.customStatus ?? "");
    if (typeof state !== "object" || state === null || !("definition" in state)) return this.status(status);
    const shown = JSON.stringify(state, (name, value: unknown) => {
      if (typeof value !== "string") return value;
      if (name === "input") return this.#texts.payload(value, "input");
      return name === "reason" || name === "message" || name === "refusal"
        ? this.#texts.message(value)
        : value;
    });
    return { ...status, customStatus: shown };
  }

  customStatus(text: string | null): string | null {
    return text === null ? null : this.#texts.payload(text, "status");
  }

  entry(key: string, text: string): string {
    return this.#texts.payload(text, `kv.${key}`);
  }

  stream(name: string, page: StreamPage): StreamPage {
    const shown = (text: string): string => this.#texts.payload(text, `stream.${name}`);
    const batches = page.batches.map((batch) => ({ ...batch, values: batch.values.map(shown) }));
    return { ...page, batches };
  }

  progress(report: StoredProgress): StoredProgress {
    return { ...report, value: this.#texts.payload(report.value, `progress.${report.name}`) };
  }

  execution(execution: ExecutionInfo): ExecutionInfo {
    return { ...execution, output: this.#output(execution.status, execution.output) };
  }

  instance<T extends InstanceInfo & Pick<InstanceSummary, "failure" | "blocked">>(instance: T): T {
    const { suspended, failure, blocked } = instance;
    return {
      ...instance,
      output: this.#output(instance.status, instance.output),
      ...(suspended !== undefined && {
        suspended: { ...suspended, reason: this.#texts.message(suspended.reason) },
      }),
      ...(blocked !== undefined && { blocked: this.blocked(blocked) }),
      ...(failure !== undefined && {
        failure: {
          ...failure,
          message: this.#texts.message(failure.message),
          details: this.#texts.details(failure.details),
        },
      }),
    };
  }

  blocked(blocked: Blocked): Blocked {
    const { reason, detail } = blocked;
    const shown = reason === "nondeterminism" ? this.#texts.difference(detail) : this.#texts.message(detail);
    return { ...blocked, detail: shown };
  }

  limit(state: LimitState): LimitState {
    const { limit } = state;
    if (limit?.reason === undefined) return state;
    return { ...state, limit: { ...limit, reason: this.#texts.message(limit.reason) } };
  }

  deadLetter(letter: DeadLetter): DeadLetter {
    return {
      ...letter,
      text: this.#texts.workItem(letter.text, "deadLetter"),
      reason: this.#texts.fault(letter.reason),
    };
  }

  /** The output of a failed execution is its message, that of a continued one the next input. */
  #output(status: ListedStatus, output: string | null): string | null {
    if (output === null) return null;
    if (status === "ContinuedAsNew") return this.#texts.payload(output, "input");
    if (storedStatus(status) !== "Failed") return this.#texts.payload(output, "output");
    if (!output.startsWith(CANCELLED_PREFIX)) return this.#texts.message(output);
    return `${CANCELLED_PREFIX}${this.#texts.message(output.slice(CANCELLED_PREFIX.length))}`;
  }
}
