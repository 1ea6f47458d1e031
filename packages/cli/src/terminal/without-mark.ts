/** Texts of files and of stdin as programs of Windows write them. */
import { usage } from "../errors/exit-code.ts";

/** Removes the byte-order mark of a text that was read as UTF-8. Throws a `CommandError` if it is UTF-16. */
export function withoutMark(text: string, what: string): string {
  // The mark of UTF-16 is no UTF-8, and every second byte of simple UTF-16 is 0.
  if (/^(\ufffd\ufffd|\0|.\0)/.test(text)) {
    throw usage(`${what} is UTF-16`, "Save it as UTF-8; in PowerShell 5 with Out-File -Encoding utf8");
  }
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}
