/**
 * Questions and their answers as they are stored (docs/decisions/messages.md). A question is a queue message whose queue
 * names it; its data is the input. An answer is a key-value entry.
 */
import { createHash } from "node:crypto";
import { RESERVED_PREFIX } from "./sent-message.ts";
import type { OrchestratorItem, WorkItemOf } from "./work-item.ts";

const ASKED_PREFIX = `${RESERVED_PREFIX}ask:`;
/** Begins the keys of answers. */
export const ANSWER_PREFIX: string = `${RESERVED_PREFIX}answer:`;

/** Time for which a repetition of a question gets its answer, ms. */
export const ANSWER_KEPT_MS = 3_600_000;

/** A question as its queue names it. */
export interface AskedQuestion {
  readonly question: string;
  /** Given by the asker: repetitions have the same one. */
  readonly messageId: string;
  /** Time by the clock of the asker, ms since the epoch. It takes no answer that is older than `ANSWER_KEPT_MS` then. */
  readonly askedAtMs: number;
}

/** The name of the queue. */
export function questionQueue({ question, messageId, askedAtMs }: AskedQuestion): string {
  return `${ASKED_PREFIX}${encodeURIComponent(messageId)}:${askedAtMs}:${question}`;
}

/** Whether the message is a question. */
export function isQuestion(item: OrchestratorItem): item is WorkItemOf<"QueueMessage"> {
  return item.kind === "QueueMessage" && item.name.startsWith(ASKED_PREFIX);
}

/** `undefined` for the queue of a message that is no question. */
export function askedQuestion(queue: string): AskedQuestion | undefined {
  if (!queue.startsWith(ASKED_PREFIX)) return undefined;
  const parts = /^([^:]+):(\d+):(.+)$/s.exec(queue.slice(ASKED_PREFIX.length));
  const [, id = "", askedAt = "", question = ""] = parts ?? [];
  try {
    return parts === null
      ? undefined
      : { question, messageId: decodeURIComponent(id), askedAtMs: Number(askedAt) };
  } catch {
    return undefined;
  }
}

/** The key of the entry with the answer: short, because stores put keys into ids. */
export function answerKey({ question, messageId }: Omit<AskedQuestion, "askedAtMs">): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([question, messageId]))
    .digest("hex");
  return ANSWER_PREFIX + hash.slice(0, DIGITS);
}

const DIGITS = 32;

/** Whether an entry is the answer to a question. */
export function isAnswerKey(key: string): boolean {
  return key.startsWith(ANSWER_PREFIX);
}

/** Whether the asker takes an answer that was given at `atMs`, ms since the epoch. */
export function isRecentAnswer(atMs: number, { askedAtMs }: AskedQuestion): boolean {
  return atMs >= askedAtMs - ANSWER_KEPT_MS;
}

/** The decoded value of the entry. */
export type StoredAnswer = {
  readonly question: string;
  readonly messageId: string;
  /** Time of the answer by the clock of the turn, ms since the epoch. */
  readonly atMs: number;
} & (
  | { readonly answer?: unknown; readonly refusal?: never }
  | { readonly refusal: { readonly name: string; readonly message: string } }
);
