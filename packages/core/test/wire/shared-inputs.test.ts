/** Inputs that history stores as the difference to an earlier one: docs/decisions/payloads.md. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventOf, HistoryEvent } from "../../src/wire/event.ts";
import { SharedInputs, wholeInputs } from "../../src/wire/shared-inputs.ts";

const scheduled = (id: number, input: string, name = "ask"): EventOf<"ActivityScheduled"> => ({
  event_id: id,
  source_event_id: null,
  instance_id: "i",
  execution_id: 1,
  timestamp_ms: 0,
  duroxide_version: "0.1.32",
  type: "ActivityScheduled",
  name,
  input,
});

function stored(inputs: readonly string[]): readonly EventOf<"ActivityScheduled">[] {
  const shared = new SharedInputs();
  return inputs.map((input, index) => {
    const event = scheduled(index + 2, input);
    return { ...event, ...shared.shorten(event, event.event_id) };
  });
}

const bytesOf = (events: readonly HistoryEvent[]): number =>
  events.reduce((sum, event) => sum + ("input" in event ? event.input.length : 0), 0);

describe("an input that repeats most of the one before", () => {
  it("is read as it was given, whatever the texts are", () => {
    const piece = fc.string({ unit: "binary", minLength: 0, maxLength: 40 });
    const long = fc
      .array(piece, { minLength: 0, maxLength: 30 })
      .map((pieces) => pieces.join("").toWellFormed());
    const edited = long.chain((text) =>
      fc
        .array(fc.tuple(fc.nat(text.length), fc.nat(60), piece), { maxLength: 5 })
        .map((edits) =>
          edits.map(([at, left, put]) =>
            `${text.repeat(3).slice(0, at)}${put}${text.repeat(3).slice(at + left)}`.toWellFormed(),
          ),
        ),
    );
    fc.assert(
      fc.property(edited, (inputs) => {
        const events = stored(inputs);
        for (const { input } of events) expect(input.isWellFormed()).toBe(true);
        expect(wholeInputs(events)).toEqual(inputs.map((input, index) => scheduled(index + 2, input)));
      }),
      { numRuns: 500 },
    );
  });

  const message = (n: number): string => `${n} ${"word ".repeat(800)}`;
  const messages = (count: number): string[] => Array.from({ length: count }, (_, n) => message(n));

  it.each<[string, (n: number) => unknown]>([
    ["a growing list", (n) => messages(n)],
    ["one behind a counter", (n) => ({ turn: n, messages: messages(n), model: "small" })],
    ["the same again", () => messages(3)],
  ])("takes the room of what is new: %s", (_, input) => {
    const inputs = Array.from({ length: 12 }, (_, n) => JSON.stringify(input(n + 1)));
    expect(bytesOf(stored(inputs))).toBeLessThan(13 * 4_100);
  });

  it("is stored whole where it is short, or another text", () => {
    expect(stored(["5", "5"])[1]).toEqual(scheduled(3, "5"));
    const [a, b] = ["a".repeat(1_000), "b".repeat(1_000)];
    expect(stored([a, b])[1]).toEqual(scheduled(3, b));
  });

  it("is left as it is stored where its history is not there", () => {
    const [, second] = stored(["a".repeat(1_000), "a".repeat(1_000)]);
    expect(second).toMatchObject({ input: "", input_of: 2, input_cuts: [] });
    expect(wholeInputs(second === undefined ? [] : [second])).toEqual([second]);
  });
});
