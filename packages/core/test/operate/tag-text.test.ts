/** Tags as texts: what is shown finds the instances that have it. */
import { shownTags, tagConditions, tagsToSet, tagTerms } from "@duroxide-ts/core/operate";
import fc from "fast-check";
import { expect, it } from "vitest";

const key = fc.string({ minLength: 1 }).filter((text) => text !== "__proto__");
const value = fc.oneof(
  fc.string(),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0),
  fc.constantFrom("3", "true", "-", "1e", '"', "a b", "", "2026-01-31"),
);

it("tags are shown as a line that stands for the same tags", () => {
  fc.assert(
    fc.property(fc.dictionary(key, value, { maxKeys: 5 }), (tags) => {
      const line = shownTags(tags).join(" ");
      expect(tagsToSet(tagTerms(line))).toEqual(Object.fromEntries(Object.entries(tags)));
      expect(tagConditions(tagTerms(line))).toEqual(Object.fromEntries(Object.entries(tags)));
    }),
  );
});

it("bounds of one tag are one range", () => {
  expect(tagConditions(tagTerms('tenant=acme priority>=2 priority<5 code="3" since>2026-01-31'))).toEqual({
    tenant: "acme",
    priority: { gte: 2, lt: 5 },
    code: "3",
    since: { gt: "2026-01-31" },
  });
});

it.each(["acme", "=x", 'a="b" c', 'a"b=1', "a=1 a=2", "a=1 a>0", "a>=true"])("%s is no condition", (line) => {
  expect(typeof tagConditions(tagTerms(line))).toBe("string");
});

it.each(["a>1", "a", "a<=x"])("%s sets no tag", (line) => {
  expect(typeof tagsToSet(tagTerms(line))).toBe("string");
});

it("refuses two values for a key, and two bounds of one direction", () => {
  expect(tagConditions(["a>=5", "a>=1"])).toBe("the tag a has two values; give one");
  expect(tagConditions(["a>=1", "a<5"])).toEqual({ a: { gte: 1, lt: 5 } });
  expect(tagsToSet(["a=1", "a=2"])).toBe("the tag a has two values; give one");
});

it("takes a number that would be another one for a text", () => {
  expect(tagsToSet(["id=99999999999999999999", "n=-7"])).toEqual({ id: "99999999999999999999", n: -7 });
  expect(tagsToSet(["id=9007199254740993"])).toEqual({ id: "9007199254740993" });
  expect(tagsToSet(["id=-9007199254740992"])).toEqual({ id: -9007199254740992 });
});

it.each(["1e3", "12e4567", "1E2", "0.1234567890123456789", "-0", "007", "1_000"])(
  "takes %s for a text, because a number is shown otherwise",
  (text) => {
    expect(tagsToSet([`sha=${text}`])).toEqual({ sha: text });
    expect(tagConditions([`sha=${text}`])).toEqual({ sha: text });
  },
);

it.each(["1.50", "2.0", "-3.25"])("takes %s for the number that it is", (text) => {
  expect(tagsToSet([`price=${text}`])).toEqual({ price: Number(text) });
});
