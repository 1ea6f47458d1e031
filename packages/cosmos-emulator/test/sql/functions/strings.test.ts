import { describe, expect, test } from "vitest";
import { errorOf, evaluate } from "../support/container.ts";

describe("string functions", () => {
  test.each([
    ["CONCAT('a', 'b', 'c')", "abc"],
    ["CONCAT('a', 1)", undefined],
    ["CONTAINS('abc', 'b')", true],
    ["CONTAINS('abc', 'B')", false],
    ["CONTAINS('abc', 'B', true)", true],
    ["CONTAINS('abc', 'B', false)", false],
    ["CONTAINS('abc', '')", true],
    ["CONTAINS(1, '1')", undefined],
    ["STARTSWITH('abc', 'ab')", true],
    ["STARTSWITH('abc', 'AB', true)", true],
    ["STARTSWITH('abc', 'bc')", false],
    ["ENDSWITH('abc', 'bc')", true],
    ["ENDSWITH('abc', 'BC', true)", true],
    ["STRINGEQUALS('abc', 'ABC')", false],
    ["StringEquals('abc', 'ABC', true)", true],
    ["STRINGEQUALS('abc', 1)", undefined],
    ["INDEX_OF('banana', 'an')", 1],
    ["INDEX_OF('banana', 'an', 2)", 3],
    ["INDEX_OF('banana', 'x')", -1],
    ["INDEX_OF('banana', 1)", undefined],
    ["LASTINDEXOF('banana', 'an')", 3],
    ["LENGTH('abc')", 3],
    ["LENGTH('')", 0],
    ["LENGTH(null)", undefined],
    ["LEFT('abc', 2)", "ab"],
    ["LEFT('abc', 9)", "abc"],
    ["LEFT('abc', -1)", ""],
    ["LEFT('abc', 'x')", undefined],
    ["RIGHT('abc', 2)", "bc"],
    ["RIGHT('abc', 9)", "abc"],
    ["RIGHT('abc', 0)", ""],
    ["RIGHT(1, 1)", undefined],
    ["SUBSTRING('abcdef', 1, 3)", "bcd"],
    ["SUBSTRING('abc', 1, 9)", "bc"],
    ["SUBSTRING('abc', -1, 2)", "ab"],
    ["SUBSTRING('abc', 9, 2)", ""],
    ["SUBSTRING('abc', 0)", "SC2050"],
    ["LOWER('AbÉ')", "abé"],
    ["UPPER('abé')", "ABÉ"],
    ["UPPER(1)", undefined],
    ["LTRIM('  a ')", "a "],
    ["RTRIM(' a  ')", " a"],
    ["TRIM(' \\t a \\n')", "a"],
    ["TRIM('xxaxx', 'x')", "a"],
    ["LTRIM('xyax', 'xy')", "ax"],
    ["TRIM(1)", undefined],
    ["TRIM('a', 1)", undefined],
    ["REPLACE('banana', 'an', 'AN')", "bANANa"],
    ["REPLACE('a.c', '.', '$&')", "a$&c"],
    ["REPLACE('abc', '', 'x')", undefined],
    ["REPLICATE('ab', 3)", "ababab"],
    ["REPLICATE('ab', 0)", ""],
    ["REPLICATE('ab', -1)", undefined],
    ["REPLICATE('ab', 5001)", undefined],
    ["REPLICATE('', 1e15)", ""],
    ["REVERSE('abc😀')", "😀cba"],
    ["StringJoin(['a', 'b'], '-')", "a-b"],
    ["StringJoin(['a', 1], '-')", undefined],
    ["StringSplit('a-b-c', '-')", ["a", "b", "c"]],
    ["StringSplit('abc', '')", ["abc"]],
    ["StringSplit('abc', undefined)", undefined],
  ])("%s", (expression, value) => {
    if (value === "SC2050") {
      expect(errorOf(() => evaluate(expression)).message).toContain(value);
    } else {
      expect(evaluate(expression)).toEqual(value);
    }
  });
});

describe("conversions", () => {
  test.each([
    ["ToString('a')", "a"],
    ["ToString(1.5)", "1.5"],
    ["ToString(true)", "true"],
    ["ToString(null)", "null"],
    ["ToString(undefined)", undefined],
    ["ToString([1, {'a': 'b'}])", '[1,{"a":"b"}]'],
    ["StringToNumber(' 1.5e2 ')", 150],
    ["StringToNumber('0x10')", undefined],
    ["StringToNumber('')", undefined],
    ["StringToNumber(1)", undefined],
    ["StringToBoolean('true')", true],
    ["StringToBoolean(' false ')", false],
    ["StringToBoolean('TRUE')", undefined],
    ["StringToNull('null')", null],
    ["StringToNull('NULL')", undefined],
    ["StringToArray('[1, \"a\"]')", [1, "a"]],
    ["StringToArray('{}')", undefined],
    ["StringToArray(\"['a']\")", undefined],
    ["StringToObject('{\"a\": [1]}')", { a: [1] }],
    ["StringToObject('[]')", undefined],
    ["StringToObject('{')", undefined],
  ])("%s", (expression, value) => {
    expect(evaluate(expression)).toEqual(value);
  });
});

/** Perl-style expressions, matched in time proportional to the text. */
describe("RegexMatch", () => {
  test.each([
    ["abcd", "ABC", undefined, false],
    ["abcd", "ABC", "i", true],
    ["abcd", "ab.", "", true],
    ["abcd", "ab c", "x", true],
    ["abcd", "aB c # the rest", "ix", true],
    ["03a", "[0-9]", undefined, true],
    ["salt3824908", "salt{1}", undefined, true],
    ["shame", "s....", "i", true],
    ["abc", "^b", undefined, false],
    ["abc", "^abc$", undefined, true],
    ["a\nb", "^b$", undefined, false],
    ["a\nb", "^b$", "m", true],
    ["a\nb", "a.b", undefined, false],
    ["a\nb", "a.b", "s", true],
    ["abc\n", "c$", undefined, true],
    ["color colour", "colou?r$", undefined, true],
    ["aaa", "^a{2}$", undefined, false],
    ["aaa", "^a{2,}$", undefined, true],
    ["aaa", "^a{1,2}$", undefined, false],
    ["aaa", "^a*?$", undefined, true],
    ["ab12", "^\\w+$", undefined, true],
    ["ab 12", "^\\w+\\s\\d+$", undefined, true],
    ["ab", "\\D\\W", undefined, false],
    ["foobar", "\\bfoo\\b", undefined, false],
    ["foo bar", "\\bfoo\\b", undefined, true],
    ["foobar", "o\\Bb", undefined, true],
    ["cat", "^(cat|dog)s?$", undefined, true],
    ["dogs", "^(?:cat|dog)s?$", undefined, true],
    ["dogs", "^(?<animal>cat|dog)s?$", undefined, true],
    ["x", "^(a|)x$", undefined, true],
    ["]", "^[]a]$", undefined, true],
    ["-", "^[a-]$", undefined, true],
    ["b", "^[^a]$", undefined, true],
    ["é", "^[à-ü]$", undefined, true],
    ["É", "^[à-ü]$", "i", true],
    ["5", "^[[:digit:]]$", undefined, true],
    ["a.b", "a\\.b", undefined, true],
    ["a{b", "a{b", undefined, true],
    ["\u0041", "\\x41", undefined, true],
    ["😀", "^.$", undefined, true],
    ["", "^$", undefined, true],
    ["abc", "", undefined, true],
  ])("%j and %j with the modifiers %j", (text, pattern, modifiers, matches) => {
    const parameters = { "@t": text, "@p": pattern, ...(modifiers !== undefined && { "@m": modifiers }) };
    const value = evaluate(`RegexMatch(@t, @p${modifiers === undefined ? "" : ", @m"})`, parameters);
    expect(value).toBe(matches);
  });

  test.each([
    ["(a", "parenthesis"],
    ["a)", "parenthesis"],
    ["[a", "bracket"],
    ["*a", "nothing"],
    ["(?=a)", "look-around"],
    ["(a)\\1", "back-references"],
    ["a++", "possessive"],
    ["a{2,1}", "out of order"],
    ["a{9999}", "1000"],
    ["[z-a]", "out of order"],
    ["\\q", "escape"],
    ["(".repeat(100), "nested"],
    ["(((a{100}){100}){100}){100}", "too long"],
  ])("the pattern %j is refused", (pattern, reason) => {
    const error = errorOf(() => evaluate("RegexMatch('a', @p)", { "@p": pattern }));
    expect(error.status).toBe(400);
    expect(error.message).toContain(reason);
  });

  test("anything but strings makes it undefined, unknown modifiers are refused", () => {
    expect(evaluate("RegexMatch(1, 'a')")).toBeUndefined();
    expect(evaluate("RegexMatch('a', null)")).toBeUndefined();
    expect(errorOf(() => evaluate("RegexMatch('a', 'a', 'g')")).status).toBe(400);
  });

  test.each([["^(a+)+$"], ["^(a|aa)+$"], ["^(a*)*$"], ["(x+x+)+y"], ["(.*)*b"]])(
    "%s on a long text ends",
    (pattern) => {
      const text = `${"a".repeat(2000)}x`;
      expect(evaluate("RegexMatch(@t, @p)", { "@t": text, "@p": pattern })).toBe(false);
    },
  );

  test("text and pattern that would take too long together are refused", () => {
    const parameters = { "@t": "a".repeat(1_000_000), "@p": "a{500}$" };
    expect(errorOf(() => evaluate("RegexMatch(@t, @p)", parameters)).message).toContain("too long");
  });
});
