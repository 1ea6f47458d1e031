/** What the procedures answer. Somebody may have changed them, so nothing of an answer is believed unread. */
import type { LeasableDocument } from "../lease.ts";
import { ANSWER_VERSION } from "./rules.ts";

export type LeaseAnswer =
  | { readonly outcome: "done"; readonly document: LeasableDocument }
  | { readonly outcome: "held"; readonly document: LeasableDocument; readonly nowMs: number }
  /** `busy`: the procedure's budget ended, or another write came between; to be tried again. */
  | { readonly outcome: "missing" | "malformed" | "not-held" | "busy" };

export interface NextAnswer {
  readonly leased: readonly LeasableDocument[];
  /** Whether the procedure stopped early. */
  readonly more: boolean;
  readonly continuation: string | undefined;
}

/** Undefined where it is no answer of our procedure. */
export function readLeaseAnswer(value: unknown): LeaseAnswer | undefined {
  const answer = fieldsOf(value);
  const { outcome, document, nowMs } = answer ?? {};
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
    default:
      return undefined;
  }
}

/** Undefined where it is no answer of our procedure. */
export function readNextAnswer(value: unknown): NextAnswer | undefined {
  const { outcome, leased, more, continuation } = fieldsOf(value) ?? {};
  if (outcome !== "next" || !Array.isArray(leased) || !leased.every(isDocument)) return undefined;
  if (typeof more !== "boolean") return undefined;
  return { leased, more, continuation: typeof continuation === "string" ? continuation : undefined };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  return fields["version"] === ANSWER_VERSION ? fields : undefined;
}

function isDocument(value: unknown): value is LeasableDocument {
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "string";
}
