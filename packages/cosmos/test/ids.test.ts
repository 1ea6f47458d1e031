/** Ids of documents: those of Rust wherever Rust can store them. */
import { describe, expect, it } from "vitest";
import {
  historyDocumentId,
  instanceDocumentId,
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
