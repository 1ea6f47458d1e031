/** Sizes of texts in UTF-8. */
const encoder = new TextEncoder();

export function utf8Bytes(text: string): number {
  return encoder.encode(text).length;
}

/** A UTF-16 unit takes at most three bytes, so texts below a third of the limit need not be measured. */
export function exceedsUtf8(text: string, limitBytes: number): boolean {
  return text.length * 3 > limitBytes && utf8Bytes(text) > limitBytes;
}
