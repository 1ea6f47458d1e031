/** The decoded values that count as the same (same-value.SV1, same-value.SV2). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostileValue } from "../../../../test/support/hostile-values.ts";
import { sameValue } from "../../src/payload/same-value.ts";

class Money {
  readonly #cents: number;
  constructor(cents: number) {
    this.#cents = cents;
  }
  get cents(): number {
    return this.#cents;
  }
}

function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, inner]) => [key, turned(inner)]));
}

describe("two values are the same", () => {
  it("if JSON makes the same of them, whatever the order of keys (same-value.SV1)", () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const value: unknown = JSON.parse(json);
        expect(sameValue(value, turned(value))).toBe(true);
      }),
    );
  });

  it("only then: other JSON is another value", () => {
    const canonical = (value: unknown): string =>
      JSON.stringify(value, (_key, it) =>
        typeof it === "object" && it !== null && !Array.isArray(it)
          ? Object.fromEntries(Object.entries(it).sort(([a], [b]) => (a < b ? -1 : 1)))
          : it,
      );
    fc.assert(
      fc.property(fc.json({ maxDepth: 2 }), fc.json({ maxDepth: 2 }), (a, b) => {
        const values = [JSON.parse(a), JSON.parse(b)] as const;
        expect(sameValue(...values)).toBe(canonical(values[0]) === canonical(values[1]));
      }),
    );
  });

  it.each([
    [{ a: 1 }, { a: 1, b: undefined }],
    [[undefined], [null]],
    [new Date(5), new Date(5)],
    [10n, 10n],
    [Number.NaN, Number.NaN],
    [0, -0],
    [new Map([["a", new Set([1])]]), new Map([["a", new Set([1])]])],
    [new Uint8Array([1, 2]), new Uint8Array([1, 2])],
  ])("such as %o and %o", (a, b) => {
    expect(sameValue(a, b)).toBe(true);
    expect(sameValue({ in: [a] }, { in: [b] })).toBe(true);
  });

  it.each([
    [1, "1"],
    [[], {}],
    [null, {}],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: undefined, b: 1 }, { c: 1 }],
    [[1], [1, 2]],
    [new Date(5), new Date(6)],
    [new Map([["a", 1]]), new Map([["a", 2]])],
    [new Uint8Array([1, 2]), new Uint8Array([1, 3])],
    [JSON.parse('{"__proto__":{"a":1}}'), {}],
    [{ toString: 1 }, {}],
  ])("not %o and %o", (a, b) => {
    expect(sameValue(a, b)).toBe(false);
    expect(sameValue(b, a)).toBe(false);
  });

  it("never if their content cannot be seen (same-value.SV2)", () => {
    expect(new Money(1).cents).toBe(1);
    expect(sameValue(new Money(1), new Money(1))).toBe(false);
    expect(sameValue(new Money(1), new Money(2))).toBe(false);
  });

  it("never if they are nested too deeply, or without end", () => {
    const ring: { next?: unknown; other?: unknown } = {};
    ring.next = ring;
    ring.other = ring;
    const copy: { next?: unknown; other?: unknown } = {};
    copy.next = copy;
    copy.other = copy;
    expect(sameValue(ring, copy)).toBe(false);
  });

  it("and asking throws for nothing", () => {
    fc.assert(
      fc.property(hostileValue, hostileValue, (a, b) => {
        expect(typeof sameValue(a(), b())).toBe("boolean");
      }),
    );
  });
});
