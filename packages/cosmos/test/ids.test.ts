/** Ids of documents: those of Rust wherever Rust can store them. */
import { describe, expect, it } from "vitest";
import {
  historyDocumentId,
  instanceDocumentId,
  isForRust,
  kvDocumentId,
  sessionDocumentId,
} from "../src/documents/ids.ts";

describe("document ids", () => {
  it("are Rust's", () => {
    expect(instanceDocumentId("order-1")).toBe("order-1:instance");
    expect(historyDocumentId("order-1", 2, 30)).toBe("order-1:history:2:30");
    expect(kvDocumentId("order-1", "übrig 🦀")).toBe("order-1:kv:übrig 🦀");
    expect(sessionDocumentId("order-1", "s:1")).toBe("order-1:session:s:1");
  });

  it.each(["a/b", "a\\b", "a?b", "a#b", "a\nb", "x".repeat(1_020)])(
    "are hashes where the service refuses the text: %j",
    (instance) => {
      expect(instanceDocumentId(instance)).toMatch(/^~sha256:[0-9a-f]{64}$/);
    },
  );

  // What Rust does with these ids is tried by rust-peer/ids-beyond-rust.test.ts.
  it("that Rust cannot make are told", () => {
    for (const id of ["a/b", "a\\b", "a?b", "a#b", 'a"b', "a\tb", "a\u0001b", "a\u007fb", "x".repeat(1_020)])
      expect([id, isForRust(id)]).toEqual([id, false]);
    for (const id of [
      "order-1",
      "größe",
      "a😀b",
      " a ",
      "a%2Fb",
      "a+b",
      "..",
      "a'b",
      "a:instance",
      "x".repeat(1_000),
    ])
      expect([id, isForRust(id)]).toEqual([id, true]);
    expect(["s", "a/b", 's"', "s".repeat(1_020)].map((session) => isForRust("a", session))).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it("differ for different instances and types, hashed or not", () => {
    const instances = ["a/b", "a\\b", "a?b", "a", "~sha256:a"];
    const ids = instances.flatMap((each) => [
      instanceDocumentId(each),
      historyDocumentId(each, 1, 1),
      kvDocumentId(each, "k"),
    ]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
