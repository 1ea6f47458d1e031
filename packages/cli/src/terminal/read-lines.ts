/** Lines of a stream of UTF-8, which end with LF or CRLF. Nothing else ends a line: JSON texts hold U+2028 as it is. */
import { StringDecoder } from "node:string_decoder";
import { withoutMark } from "./without-mark.ts";

export async function* readLines(stream: AsyncIterable<unknown>): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  let isFirst = true;
  const toLine = (text: string): string => {
    const line = isFirst ? withoutMark(text, "the input") : text;
    isFirst = false;
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  };
  for await (const chunk of stream) {
    const lines = (rest + decoder.write(chunk as Buffer)).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.map(toLine);
  }
  rest += decoder.end();
  if (rest !== "") yield toLine(rest);
}
