/**
 * Lock tokens contain the key of their row, so that no operation searches for a token: `<key>.<time>.<secret>`, numbers
 * in base 36. Rows store only the secret, a UUID, which makes a token unguessable and unique, and says its process
 * (docs/decisions/crashes.md).
 */
import { checkLockToken, ProviderError } from "@duroxide-ts/core/stores";

export interface LockToken {
  /** `instances.instance_key` or `worker_queue.id`. */
  readonly key: number;
  /** The time until which the messages of the batch became visible; for an activity one of the numbers below. */
  readonly visibleUntilMs: number;
  readonly secret: string;
}

/** Marks the token of an activity without a session, a limit and a priority, whose end reads nothing of its row. */
export const PLAIN_TOKEN = 0;

/** Marks that of one with a limit or a priority. */
export const RANKED_TOKEN = 1;

/** Marks that of one with a session, which has no place among others. */
export const SESSION_TOKEN = 2;

export function formatLockToken({ key, visibleUntilMs, secret }: LockToken): string {
  return `${key.toString(36)}.${visibleUntilMs.toString(36)}.${secret}`;
}

/** Throws `lock-lost` for a text that is not a token of this provider. */
export function parseLockToken(operation: string, text: string): LockToken {
  checkLockToken(operation, text);
  const [key = "", visibleUntil = "", secret = ""] = text.split(".");
  const token = {
    key: Number.parseInt(key, 36),
    visibleUntilMs: Number.parseInt(visibleUntil, 36),
    secret,
  };
  if (Number.isSafeInteger(token.key) && Number.isSafeInteger(token.visibleUntilMs)) return token;
  throw ProviderError.lockLost(operation);
}
