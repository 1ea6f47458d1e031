/** The parsed value if the text is JSON, else the text: both JSON codecs and Rust's typed handlers read in this way. */
export function parseOrText(text: string): unknown {
  if (!mayBeginJson(text.charCodeAt(0))) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A quick check that avoids the cost of a thrown error for most raw texts. */
function mayBeginJson(code: number): boolean {
  return (
    code === 0x22 || // a string
    code === 0x7b || // an object
    code === 0x5b || // an array
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2d || // a negative number
    code === 0x74 || // true
    code === 0x66 || // false
    code === 0x6e || // null
    code === 0x20 ||
    (code >= 0x09 && code <= 0x0d)
  );
}
