/** The check of option names: what is refused, and what the message says. */
import { describe, expect, it } from "vitest";
import { InvalidInputError } from "../../src/errors/duroxide-error.ts";
import { nearestName } from "../../src/options/nearest-name.ts";
import { checkOptions, optionFault, optionList } from "../../src/options/option-list.ts";

interface Paint {
  readonly color?: string;
  readonly thickness?: number;
}

const PAINT = optionList<Paint>({ color: true, thickness: true });

describe("a list of options", () => {
  it("accepts its own names, with any value, and no options at all", () => {
    for (const options of [undefined, {}, { color: undefined }, { color: "red", thickness: 1 }]) {
      expect(optionFault("paint", options, PAINT)).toBeUndefined();
    }
  });

  it("refuses another name, names the nearest and lists all", () => {
    expect(optionFault("paint", { colour: "red" }, PAINT)).toBe(
      'paint: there is no option "colour"; did you mean "color"? The options are color, thickness',
    );
  });

  it("suggests nothing where no name is near", () => {
    expect(optionFault("paint", { retries: 5 }, PAINT)).toBe(
      'paint: there is no option "retries". The options are color, thickness',
    );
  });

  it("refuses names that every object has", () => {
    expect(optionFault("paint", { constructor: 1 }, PAINT)).toMatch(/no option "constructor"/);
    expect(optionFault("paint", JSON.parse('{"__proto__": 1}'), PAINT)).toMatch(/no option "__proto__"/);
  });

  it.each([
    [null, "null"],
    ["x", '"x"'],
    [5, "5"],
    [[], "an array"],
    [() => {}, "a function"],
  ])("refuses %j, which is no options object", (options, shown) => {
    expect(optionFault("paint", options, PAINT)).toBe(
      `paint: the options must be an object with color, thickness; got ${shown}`,
    );
  });

  it("is an InvalidInputError where it is checked", () => {
    expect(() => checkOptions("paint", { size: 1 }, PAINT)).toThrow(InvalidInputError);
  });

  it("has every option of its type: the compiler sees to it (option-list.L1)", () => {
    // @ts-expect-error thickness is missing
    optionList<Paint>({ color: true });
    // @ts-expect-error there is no size
    optionList<Paint>({ color: true, thickness: true, size: true });
  });
});

describe("the nearest name", () => {
  const known = ["orchestrations", "activities", "instanceId", "input", "version", "codec", "maxAttempts"];

  it.each([
    ["activites", "activities"],
    ["activity", "activities"],
    ["orchestration", "orchestrations"],
    ["instanceID", "instanceId"],
    ["id", "instanceId"],
    ["codecs", "codec"],
    ["inptu", "input"],
    ["max_attempts", "maxAttempts"],
  ])("of %s is %s", (given, nearest) => {
    expect(nearestName(given, known)).toBe(nearest);
  });

  it.each(["x", "timeout", "retries", ""])("of %s is none", (given) => {
    expect(nearestName(given, known)).toBeUndefined();
  });
});
