/** Lines of a stream, whatever its chunks are. */
import { describe, expect, it } from "vitest";
import { LONGEST_LINE, readLines } from "../../src/terminal/read-lines.ts";

async function linesOf(chunks: Iterable<string>): Promise<string[]> {
  async function* stream(): AsyncGenerator<Buffer> {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const lines: string[] = [];
  for await (const line of readLines(stream())) lines.push(line);
  return lines;
}

function* repeated(chunk: string, times: number): Generator<string> {
  for (let n = 0; n < times; n++) yield chunk;
}

describe("the lines of a stream", () => {
  it.each([
    [
      ["a\nb", "c\r", "\n\nd"],
      ["a", "bc", "", "d"],
    ],
    [["a\r\nb\n"], ["a", "b"]],
    [
      ["\ufeffa", "\n\u2028"],
      ["a", "\u2028"],
    ],
    [[], []],
  ])("of %j are %j", async (chunks, lines) => {
    expect(await linesOf(chunks)).toEqual(lines);
  });

  it("keep characters that a chunk cuts", async () => {
    const [bytes] = [Buffer.from("é😀\nß")];
    const lines: string[] = [];
    async function* stream(): AsyncGenerator<Buffer> {
      for (const byte of bytes) yield Buffer.of(byte);
    }
    for await (const line of readLines(stream())) lines.push(line);
    expect(lines).toEqual(["é😀", "ß"]);
  });

  // Work that grew with the square of the chunks would take hours.
  it("are read once, however many chunks a line has", async () => {
    const [line = ""] = await linesOf(repeated("x".repeat(500), 100_000));
    expect(line).toHaveLength(50_000_000);
  });

  it("have an end: a longer one is refused while it is read", async () => {
    const read = linesOf(["first\n", ...repeated("x".repeat(1_000_000), LONGEST_LINE / 1_000_000), "y"]);
    await expect(read).rejects.toMatchObject({
      message: "Line 2 of the input has more than 128 MB",
      exitCode: 2,
    });
  });
});
