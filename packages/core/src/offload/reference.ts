/** The stored reference to an offloaded payload: `duroxide-blob1.<SHA-256, hex>.<bytes>`. */
import { createHash } from "node:crypto";

const PREFIX = "duroxide-blob1.";
const FORM = /^duroxide-blob1\.([0-9a-f]{64})\.(\d{1,15})$/;

/** Also true for users' texts with the same prefix, so these texts are always offloaded. */
export function looksLikeReference(text: string): boolean {
  return text.startsWith(PREFIX);
}

export function keyOfContent(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

export function referenceTo(key: string, bytes: number): string {
  return `${PREFIX}${key}.${bytes}`;
}

/** `undefined` for a text with the prefix but not the form. */
export function keyOfReference(reference: string): string | undefined {
  return FORM.exec(reference)?.[1];
}

/** The size of the payload; 0 for a text that is no reference. */
export function bytesOfReference(reference: string): number {
  return Number(FORM.exec(reference)?.[2] ?? 0);
}
