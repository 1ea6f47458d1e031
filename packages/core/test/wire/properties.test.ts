/** Properties of every event, every work item and every text: found by random search, with the case printed. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeEvent,
  decodeWorkItem,
  encodeEvent,
  encodeWorkItem,
  WireError,
} from "../../src/stores/index.ts";
import { anyEvent, anyWorkItem } from "./arbitrary-documents.ts";
import { eventVectors, workItemVectors } from "./vectors.ts";

describe("an event", () => {
  it("is the same after writing and reading", () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        expect(decodeEvent(encodeEvent(event))).toEqual(event);
      }),
    );
  });

  it("is the same text after reading and writing", () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const text = encodeEvent(event);
        expect(encodeEvent(decodeEvent(text))).toBe(text);
      }),
    );
  });
});

describe("a work item", () => {
  it("is the same after writing and reading", () => {
    fc.assert(
      fc.property(anyWorkItem, (item) => {
        expect(decodeWorkItem(encodeWorkItem(item))).toEqual(item);
      }),
    );
  });

  it("is the same text after reading and writing", () => {
    fc.assert(
      fc.property(anyWorkItem, (item) => {
        const text = encodeWorkItem(item);
        expect(encodeWorkItem(decodeWorkItem(text))).toBe(text);
      }),
    );
  });
});

describe("any text at all", () => {
  const decodesOrRefuses = (text: string): void => {
    for (const decode of [decodeEvent, decodeWorkItem]) {
      try {
        decode(text);
      } catch (error) {
        expect(error).toBeInstanceOf(WireError);
      }
    }
  };

  it("is read or refused with a WireError when it is JSON", () => {
    fc.assert(fc.property(fc.json(), decodesOrRefuses));
  });

  it("is read or refused with a WireError when it is not JSON", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), decodesOrRefuses));
  });

  it("is read or refused with a WireError when part of a document is replaced", () => {
    const documents = [...eventVectors, ...workItemVectors].map(({ raw }) => raw);
    const damaged = fc
      .tuple(fc.constantFrom(...documents), fc.nat(), fc.nat(30), fc.json())
      .map(([raw, at, length, patch]) => {
        const start = at % raw.length;
        return raw.slice(0, start) + patch + raw.slice(start + length);
      });
    fc.assert(fc.property(damaged, decodesOrRefuses));
  });

  it("is refused with a WireError when it is nested beyond the stack", () => {
    const deep = `${'{"a":'.repeat(200_000)}"\\ud800"${"}".repeat(200_000)}`;
    decodesOrRefuses(deep);
    decodesOrRefuses(`[12345678901234567890,${"[".repeat(200_000)}${"]".repeat(200_000)}]`);
  });
});
