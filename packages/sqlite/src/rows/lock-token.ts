/**
 * Lock tokens carry what is needed to act on them, so that no operation searches for one:
 * `<key>.<instant>.<secret>`, numbers in base 36. Rows store the secret alone, a UUID; it is what makes a token
 * unguessable and unique.
 */
import { checkLockToken, ProviderError } from "@duroxide-ts/core/stores";

export interface LockToken {
  /** `instances.instance_key` or `worker_queue.id`. */
  readonly key: number;
  /** The messages of the batch became visible until then; 0 for an activity. */
  readonly visibleUntilMs: number;
  readonly secret: string;
}

export function formatLockToken({ key, visibleUntilMs, secret }: LockToken): string {
  return `${key.toString(36)}.${visibleUntilMs.toString(36)}.${secret}`;
}

/** Treats what never was a token of this provider like a token whose lock is gone. */
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
