/** Resource ids, etags and names. */
import { describe, expect, it } from "vitest";
import { formatEtag, matchesEtag } from "../../src/protocol/etag.ts";
import { containerChildRid, containerRid, databaseRid, offerRid } from "../../src/protocol/resource-id.ts";
import { checkItemId, checkName } from "../../src/protocol/resource-name.ts";

const bytesOf = (rid: string): Buffer => Buffer.from(rid.replaceAll("-", "/"), "base64");

describe("resource ids", () => {
  const database = databaseRid(1, 12345);
  const container = containerRid(database, 2);

  it("grow with the level, and begin with the owner's", () => {
    expect(bytesOf(database)).toHaveLength(4);
    expect(bytesOf(container)).toHaveLength(8);
    const document = containerChildRid(container, "docs", 7);
    expect(bytesOf(document)).toHaveLength(16);
    expect(bytesOf(container).subarray(0, 4)).toEqual(bytesOf(database));
    expect(bytesOf(document).subarray(0, 8)).toEqual(bytesOf(container));
  });

  it("have the marks by which clients tell their kinds", () => {
    expect(bytesOf(database)[3]).toBe(0);
    expect((bytesOf(container)[4] ?? 0) & 0x80).toBe(0x80);
    expect(bytesOf(containerChildRid(container, "docs", 7)).subarray(8)).toEqual(
      Buffer.of(7, 0, 0, 0, 0, 0, 0, 0),
    );
    expect((bytesOf(containerChildRid(container, "pkranges", 1))[15] ?? 0) >> 4).toBe(5);
  });

  it("are the recorded ones for the recorded numbers", () => {
    expect(containerChildRid("DJB7AI1lZHo=", "docs", 1)).toBe("DJB7AI1lZHoBAAAAAAAAAA==");
    expect(containerChildRid("DJB7AI1lZHo=", "docs", 8)).toBe("DJB7AI1lZHoIAAAAAAAAAA==");
  });

  it("differ for different numbers", () => {
    const numbers = Array.from({ length: 5000 }, (_, index) => index);
    expect(new Set(numbers.map((number) => databaseRid(number, 9))).size).toBe(numbers.length);
    expect(new Set(numbers.map((number) => containerRid(database, number))).size).toBe(numbers.length);
    expect(new Set(numbers.map(offerRid)).size).toBe(numbers.length);
  });

  it("hold no slash, which would end a part of an address", () => {
    for (let number = 0; number < 500; number++) expect(containerRid(database, number)).not.toContain("/");
  });
});

describe("etags", () => {
  it("look like the service's: the last group begins with the timestamp", () => {
    const etag = formatEtag({ lsn: 7, ordinal: 0, owner: 1, timestamp: 1791623040 });
    expect(etag).toMatch(/^"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-6ac9ff800000"$/);
  });

  it("differ in the position, the place in a transaction and the owner", () => {
    const base = { lsn: 7, ordinal: 0, owner: 1, timestamp: 1791623040 };
    const etags = [
      base,
      { ...base, lsn: 8 },
      { ...base, lsn: 7 + 2 ** 32 },
      { ...base, ordinal: 1 },
      { ...base, owner: 2 },
    ];
    expect(new Set(etags.map(formatEtag)).size).toBe(etags.length);
  });

  it("match themselves and the star", () => {
    expect(matchesEtag('"a"', '"a"')).toBe(true);
    expect(matchesEtag("*", '"a"')).toBe(true);
    expect(matchesEtag('"b"', '"a"')).toBe(false);
  });
});

describe("ids of items", () => {
  it.each(["a", "a?b&c=d", "a#b", "a b", "é/".slice(0, 1), "x".repeat(1023), "kv:a|b"])(
    "accepts %j",
    (id) => {
      expect(checkItemId({ id }, false)).toBe(id);
    },
  );

  it.each([undefined, "", 1, null, "a/b", "a\\b", "x".repeat(1024), "é".repeat(512)])("refuses %j", (id) => {
    const document = id === undefined ? {} : { id };
    expect(() => checkItemId(document, false)).toThrow(expect.objectContaining({ status: 400 }));
  });

  it("may contain slashes in lenient mode", () => {
    expect(checkItemId({ id: "a/b\\c" }, true)).toBe("a/b\\c");
  });
});

describe("names of databases, containers and scripts", () => {
  it.each(["", "a/b", "a\\b", "a?b", "a#b", "a ", "x".repeat(256), 7, null])("refuses %j", (id) => {
    expect(() => checkName({ id })).toThrow(expect.objectContaining({ status: 400 }));
  });

  it("accepts others", () => {
    for (const id of ["a", "a b", "x".repeat(255), "été"]) expect(checkName({ id })).toBe(id);
  });
});
