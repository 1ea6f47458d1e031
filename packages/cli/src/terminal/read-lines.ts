/** Lines of a stream of UTF-8, which end with LF or CRLF. Nothing else ends a line: JSON texts hold U+2028 as it is. */
import { StringDecoder } from "node:string_decoder";
import { usage } from "../errors/exit-code.ts";
import { withoutMark } from "./without-mark.ts";

/** Length in UTF-16 units. The values of a longer line would need more memory than a process has. */
export const LONGEST_LINE = 128_000_000;

/** Reads each character once, however many chunks a line has. Throws a `CommandError` for a line that is too long. */
export async function* readLines(stream: AsyncIterable<unknown>): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let number = 0;
  let parts: string[] = [];
  let length = 0;
  const add = (part: string): void => {
    parts.push(part);
    length += part.length;
    if (length > LONGEST_LINE) throw tooLong(number + 1);
  };
  const take = (): string => {
    const text = parts.join("");
    parts = [];
    length = 0;
    number += 1;
    const line = number === 1 ? withoutMark(text, "the input") : text;
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  };
  for await (const chunk of stream) {
    const [first = "", ...others] = decoder.write(chunk as Buffer).split("\n");
    add(first);
    for (const part of others) {
      yield take();
      add(part);
    }
  }
  add(decoder.end());
  if (length > 0) yield take();
}

function tooLong(number: number): Error {
  return usage(
    `Line ${number} of the input has more than ${LONGEST_LINE / 1_000_000} MB`,
    "An instance with so long a history is moved with duroxide backup, or exported after duroxide prune",
  );
}
