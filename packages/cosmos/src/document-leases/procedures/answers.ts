/** The answers of the procedures. Another program may have changed a procedure, so every answer is validated. */
import type { LeasableDocument } from "../lease.ts";
import { ANSWER_VERSION } from "./rules.ts";

export type LeaseAnswer =
  | { readonly outcome: "done"; readonly document: LeasableDocument }
  | { readonly outcome: "held"; readonly document: LeasableDocument; readonly nowMs: number }
  /** `busy`: a budget ended, or a concurrent write conflicted; the call is retried. */
  | { readonly outcome: "missing" | "malformed" | "not-held" | "busy" };

/** Why a call of a procedure's collection was refused. */
export interface Reason {
  readonly status: number | undefined;
  readonly message: string;
}

export interface NextAnswer {
  readonly leased: readonly LeasableDocument[];
  /** Whether the procedure stopped early. */
  readonly more: boolean;
  readonly continuation: string | undefined;
  /** Reason of the stop, if it was not a budget. */
  readonly reason: Reason | undefined;
}

export interface FailedAnswer {
  readonly outcome: "failed";
  readonly reason: Reason;
}

/** Undefined where it is no answer of our procedure. */
export function readLeaseAnswer(value: unknown): LeaseAnswer | FailedAnswer | undefined {
  const answer = fieldsOf(value);
  const { outcome, document, nowMs, reason } = answer ?? {};
  switch (outcome) {
    case "missing":
    case "malformed":
    case "not-held":
    case "busy":
      return { outcome };
    case "done":
      return isDocument(document) ? { outcome, document } : undefined;
    case "held":
      return isDocument(document) && typeof nowMs === "number" ? { outcome, document, nowMs } : undefined;
    case "failed":
      return { outcome, reason: readReason(reason) };
    default:
      return undefined;
  }
}

/** Undefined where it is no answer of our procedure. */
export function readNextAnswer(value: unknown): NextAnswer | undefined {
  const { outcome, leased, more, continuation, reason } = fieldsOf(value) ?? {};
  if (outcome !== "next" || !Array.isArray(leased) || !leased.every(isDocument)) return undefined;
  if (typeof more !== "boolean") return undefined;
  return {
    leased,
    more,
    continuation: typeof continuation === "string" ? continuation : undefined,
    reason: reason === undefined ? undefined : readReason(reason),
  };
}

function readReason(value: unknown): Reason {
  const { status, message } = (typeof value === "object" && value !== null ? value : {}) as Partial<Reason>;
  return { status: typeof status === "number" ? status : undefined, message: String(message) };
}

/** Statuses of a concurrent write or a busy partition; any other failure would repeat. */
const PASSING: readonly (number | undefined)[] = [404, 408, 409, 412, 429, 449, 500, 503];

export function isRetryable({ status }: Reason): boolean {
  return PASSING.includes(status);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  return fields["version"] === ANSWER_VERSION ? fields : undefined;
}

function isDocument(value: unknown): value is LeasableDocument {
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "string";
}
