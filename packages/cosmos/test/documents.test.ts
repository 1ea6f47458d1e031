/** Documents are read and written exactly as duroxide-cdb does: docs/reference/wire-format.md §6. */
import { WireError } from "@duroxide-ts/core/stores";
import { describe, expect, it } from "vitest";
import { type CosmosDocument, type DocumentType, decodeDocument, encodeDocument } from "../src/index.ts";
import { type AcceptanceRow, acceptanceRows, documentVectors } from "./vectors.ts";

const typeOf = (raw: string): DocumentType => (JSON.parse(raw) as { readonly type: DocumentType }).type;
const rewrite = (type: DocumentType, source: unknown): string => encodeDocument(decodeDocument(type, source));

const SYSTEM_FIELDS = {
  _etag: '"0x1"',
  _ts: 1_700_000_000,
  _rid: "r",
  _self: "s",
  _attachments: "attachments/",
};

describe.each(documentVectors)("the document $name", ({ raw }) => {
  it("is written back byte for byte", () => {
    expect(rewrite(typeOf(raw), raw)).toBe(raw);
  });

  it("is read from what a client library has parsed, too", () => {
    expect(decodeDocument(typeOf(raw), JSON.parse(raw))).toEqual(decodeDocument(typeOf(raw), raw));
  });

  it("loses its system fields when it is written, but has them in memory", () => {
    const stored = { ...(JSON.parse(raw) as object), ...SYSTEM_FIELDS };
    expect(decodeDocument(typeOf(raw), stored)).toMatchObject(SYSTEM_FIELDS);
    expect(rewrite(typeOf(raw), stored)).toBe(raw);
  });
});

describe("a document with one field changed", () => {
  const bases = new Map(documentVectors.map(({ name, raw }) => [`doc:${name}`, raw]));
  const REPLACEMENTS: Readonly<Record<string, unknown>> = {
    null: null,
    number_for_string: 5,
    string_number: "5",
    negative: -1,
    unknown_field_added: { nested: [1, "x"] },
  };

  const verdictOn = ({ base, field, change }: AcceptanceRow): unknown => {
    const raw = bases.get(base) ?? "";
    const document = JSON.parse(raw) as Record<string, unknown>;
    if (change === "missing") delete document[field];
    else document[field] = REPLACEMENTS[change];
    let read: CosmosDocument;
    try {
      read = decodeDocument(typeOf(raw), JSON.stringify(document));
    } catch (error) {
      return error;
    }
    return encodeDocument(read);
  };

  it("is read where Rust reads it", () => {
    for (const row of acceptanceRows.filter(({ accepted }) => accepted)) {
      const { change, reserialised } = row;
      const kept = change === "unknown_field_added" ? ',"unknown_extra":{"nested":[1,"x"]}}' : "}";
      const expected = reserialised?.replace(/}$/, kept);
      expect(verdictOn(row), JSON.stringify(row)).toBe(expected);
    }
  });

  it("is refused where Rust refuses it, and the field is named", () => {
    const rows = acceptanceRows.filter(({ accepted, change }) => !accepted && !change.startsWith("float"));
    for (const row of rows) {
      const error = verdictOn(row);
      expect(WireError.is(error), JSON.stringify(row)).toBe(true);
      expect(error, JSON.stringify(row)).toMatchObject({ path: row.field });
    }
  });

  it("covers the recording", () => {
    expect(acceptanceRows).toHaveLength(296);
  });
});

describe("a document", () => {
  const kv = decodeDocument("kv", documentVectors.find(({ name }) => name === "kv")?.raw);

  it("is refused as a document of another type", () => {
    expect(() => decodeDocument("kv_delta", encodeDocument(kv))).toThrow(
      expect.objectContaining({ name: "WireError", path: "type", subject: "document of type kv_delta" }),
    );
  });

  it("does not change the object that it is read from", () => {
    const parsed = Object.freeze({
      id: "i:kv:k",
      instanceId: "i",
      type: "kv",
      key: "k",
      value: "v",
      executionId: 1,
    });
    expect(decodeDocument("kv", parsed)).toEqual({ ...parsed, lastUpdatedAtMs: 0 });
  });

  it("is never written with an unknown type", () => {
    expect(() => encodeDocument({ ...kv, type: "lease" } as unknown as CosmosDocument)).toThrow(
      expect.objectContaining({ name: "WireError", path: "type" }),
    );
  });

  it.each([256, -1, 1.5])("has no slot %d", (dispatchSlot) => {
    const message = JSON.parse(
      documentVectors.find(({ name }) => name === "orch_queue")?.raw ?? "",
    ) as object;
    expect(() => decodeDocument("orch_queue", { ...message, dispatchSlot })).toThrow(
      expect.objectContaining({ path: "dispatchSlot" }),
    );
  });
});

describe("the time that Rust stores as never", () => {
  const raw = (documentVectors.find(({ name }) => name === "orch_queue_timer")?.raw ?? "").replace(
    '"visibleAt":1700000005123',
    '"visibleAt":18446744073709551615',
  );

  it("is exact when it is read from text", () => {
    expect(decodeDocument("orch_queue", raw).visibleAt).toBe(2n ** 64n - 1n);
    expect(rewrite("orch_queue", raw)).toBe(raw);
  });

  it("survives a client library that rounds it", () => {
    expect(rewrite("orch_queue", JSON.parse(raw))).toBe(raw);
  });

  it("is the only number that may have been rounded: an id may not", () => {
    const rounded = { ...(JSON.parse(raw) as object), executionId: 2 ** 60 };
    expect(() => decodeDocument("orch_queue", rounded)).toThrow(
      expect.objectContaining({ path: "executionId" }),
    );
  });
});
