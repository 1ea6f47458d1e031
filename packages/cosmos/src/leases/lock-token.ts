/**
 * A lock token contains the ids of its documents, so that no operation searches for a token (hazard W6):
 * `<instance>.<secret>` for an instance, `<instance>.<row>.<secret>` for an activity, names as base64url. Documents
 * store only the secret, a UUID, which makes a token unguessable and unique. Its first digits say which process holds the
 * lock (docs/decisions/crashes.md).
 */
import { invalidInput, ProviderError } from "@duroxide-ts/core/stores";

export interface InstanceToken {
  readonly instanceId: string;
  readonly secret: string;
}

export interface ActivityToken extends InstanceToken {
  readonly rowId: string;
}

export function formatInstanceToken({ instanceId, secret }: InstanceToken): string {
  return `${encode(instanceId)}.${secret}`;
}

export function formatActivityToken({ instanceId, rowId, secret }: ActivityToken): string {
  return `${encode(instanceId)}.${encode(rowId)}.${secret}`;
}

/** Throws `lock-lost` for a text that is not a token of this provider. */
export function parseInstanceToken(operation: string, text: string): InstanceToken {
  const [instance, secret, ...others] = partsOf(operation, text);
  if (instance === undefined || secret === undefined || secret === "" || others.length > 0) {
    throw ProviderError.lockLost(operation);
  }
  return { instanceId: decode(instance), secret };
}

export function parseActivityToken(operation: string, text: string): ActivityToken {
  const [instance, row, secret, ...others] = partsOf(operation, text);
  if (instance === undefined || row === undefined || secret === undefined || others.length > 0) {
    throw ProviderError.lockLost(operation);
  }
  return { instanceId: decode(instance), rowId: decode(row), secret };
}

function partsOf(operation: string, text: unknown): readonly string[] {
  if (typeof text === "string") return text.split(".");
  throw invalidInput(operation, "a lock token is a text, as a fetch returned it");
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64url");
}

function decode(text: string): string {
  return Buffer.from(text, "base64url").toString();
}
