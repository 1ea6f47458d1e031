/**
 * Encryption of payloads: what is kept, what is refused, and what no message says (encrypted-codec.EC1,
 * encrypted-codec.EC2, envelope.EV1, envelope.EV2).
 */
import { createSecretKey, generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EncryptedCodecOptions, type EncryptionKey, encryptedCodec } from "../../src/codecs/index.ts";
import { silentLogger } from "../../src/define/logger.ts";
import { jsonCodec } from "../../src/payload/json-codec.ts";
import { LargePayloads } from "../../src/payload/large-payloads.ts";
import { limitedCodec } from "../../src/payload/limited-codec.ts";
import type { PayloadCodec } from "../../src/payload/payload-codec.ts";
import { rustTypedCodec } from "../../src/payload/rust-typed-codec.ts";

const keyOf = (id: string, fill: number): EncryptionKey => ({ id, key: new Uint8Array(32).fill(fill) });
const OLD = keyOf("2025", 1);
const NEW = keyOf("2026", 2);
const codecWith = (options: Partial<EncryptedCodecOptions> = {}): PayloadCodec =>
  encryptedCodec({ keys: [OLD], ...options });

/** The message of the error that decoding throws. */
function refusal(codec: PayloadCodec, text: string): string {
  try {
    codec.decode(text);
  } catch (error) {
    expect(error).toMatchObject({ name: "PayloadError" });
    expect(error).not.toHaveProperty("cause");
    return (error as Error).message;
  }
  return "it was decrypted";
}

describe("an encrypted payload", () => {
  it("comes back as the inner codec would give it back", () => {
    const compress = [undefined, { aboveBytes: 20 }, { aboveBytes: 0, method: "deflate" as const }];
    for (const option of compress) {
      const codec = codecWith(option && { compress: option });
      fc.assert(
        fc.property(fc.json(), (json) => {
          const value: unknown = JSON.parse(json);
          expect(codec.decode(codec.encode(value))).toEqual(jsonCodec.decode(jsonCodec.encode(value)));
        }),
        { numRuns: 50 },
      );
    }
    expect(
      codecWith({ codec: rustTypedCodec }).decode(codecWith({ codec: rustTypedCodec }).encode("5")),
    ).toBe(5);
  });

  it("names version, key and packing, and differs each time in all that follows", () => {
    const texts = Array.from({ length: 50 }, () => codecWith().encode({ secret: "swordfish" }));
    for (const text of texts) expect(text).toMatch(/^duroxide-enc1\.2025\.n\.[\w-]+$/);
    expect(new Set(texts.map((text) => text.slice(21, 60))).size).toBe(50);
    expect(texts.join("")).not.toContain("swordfish");
  });

  it("is compressed above the threshold, where that makes it shorter", () => {
    const value = "word ".repeat(1_000);
    const lengthWith = (compress?: EncryptedCodecOptions["compress"]): number =>
      codecWith(compress && { compress }).encode(value).length;
    expect(lengthWith()).toBeGreaterThan(5_000);
    expect(lengthWith({ aboveBytes: 5_000 })).toBeLessThan(500);
    expect(lengthWith({ aboveBytes: 5_000, method: "deflate" })).toBeLessThan(500);
    expect(lengthWith({ aboveBytes: 6_000 })).toBeGreaterThan(5_000);
    expect(codecWith({ compress: { aboveBytes: 0 } }).encode("xy")).toMatch(/^duroxide-enc1\.2025\.n\./);
  });

  it("is encrypted with the first key and read with all", () => {
    const before = codecWith();
    const between = codecWith({ keys: [OLD, NEW] });
    const after = codecWith({ keys: [NEW, OLD] });
    expect(between.encode(1)).toMatch(/^duroxide-enc1\.2025\./);
    expect(after.encode(1)).toMatch(/^duroxide-enc1\.2026\./);
    expect(after.decode(before.encode("old"))).toBe("old");
    expect(between.decode(after.encode("new"))).toBe("new");
    expect(refusal(before, after.encode("new"))).toContain('key "2026", which is not among the keys');
  });

  it("may have its key as a key object", () => {
    const codec = codecWith({ keys: [{ id: "2025", key: createSecretKey(OLD.key as Uint8Array) }] });
    expect(codecWith().decode(codec.encode("same"))).toBe("same");
  });

  it("is refused if any character of it was changed (envelope.EV1)", () => {
    const codec = codecWith({ keys: [OLD, NEW], compress: { aboveBytes: 10 } });
    const text = codec.encode("a longer text, a longer text, a longer text");
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom("A", "b", ".", "5", "6", "n", "d"), (at, by) => {
        const changed = text.slice(0, at) + by + text.slice(at + 1);
        const isSame = Buffer.from(changed.slice(21), "base64url").equals(
          Buffer.from(text.slice(21), "base64url"),
        );
        fc.pre(!isSame || changed.slice(0, 21) !== text.slice(0, 21));
        expect(() => codec.decode(changed)).toThrow(/cannot be decrypted/);
      }),
    );
  });

  it("is refused with another key of the same id, and with other associated data", () => {
    const text = codecWith({ associatedData: "shop" }).encode("value");
    expect(codecWith({ associatedData: "shop" }).decode(text)).toBe("value");
    expect(refusal(codecWith({ associatedData: "bank" }), text)).toContain("associated data differ");
    expect(refusal(codecWith(), text)).toContain("associated data differ");
    expect(refusal(codecWith({ keys: [keyOf("2025", 9)], associatedData: "shop" }), text)).toContain(
      "another key has this id",
    );
  });
});

describe("a payload in clear", () => {
  it("is refused, unless that is allowed (encrypted-codec.EC2)", () => {
    const plain = jsonCodec.encode({ name: "swordfish" });
    expect(refusal(codecWith(), plain)).toContain("allowPlain");
    expect(codecWith({ allowPlain: true }).decode(plain)).toEqual({ name: "swordfish" });
    expect(codecWith({ allowPlain: true }).decode(codecWith().encode(1))).toBe(1);
  });

  it("that claims to be encrypted is refused also then", () => {
    const codec = codecWith({ allowPlain: true });
    for (const text of ["duroxide-enc1.", "duroxide-enc1.2025.n.AAAA", "duroxide-enc1.2025.z.AAAA"])
      expect(refusal(codec, text)).toContain("its envelope is damaged");
  });
});

describe("messages (encrypted-codec.EC1)", () => {
  const talkative: PayloadCodec = {
    name: "talkative",
    encode(value) {
      if (value === "swordfish") throw new TypeError("cannot encode swordfish");
      return String(value);
    },
    decode(text) {
      throw new SyntaxError(`cannot read ${text}`);
    },
  };

  it("do not contain what the inner codec says of the value, and neither do causes", () => {
    const codec = codecWith({ codec: talkative });
    const thrown = [() => codec.encode("swordfish"), () => codec.decode(codec.encode("sword"))].map((run) => {
      try {
        return run();
      } catch (error) {
        return error as Error;
      }
    });
    expect(thrown).toMatchObject([
      { name: "PayloadError", message: expect.stringContaining('was refused by the codec "talkative"') },
      { name: "PayloadError", message: expect.stringContaining('the codec "talkative" cannot read it') },
    ]);
    for (const error of thrown) {
      expect(error).not.toHaveProperty("cause");
      expect(`${(error as Error).message} ${(error as Error).stack}`).not.toContain("sword");
    }
  });

  it("do not contain the place of what JSON cannot express: names of members are data", () => {
    expect(() => codecWith().encode({ "bob@example.org": new Map() })).toThrow(/^(?!.*bob).*codec "json"/);
  });
});

describe("options that cannot work", () => {
  const text = "k".repeat(32);
  it.each<[string, unknown, RegExp]>([
    ["no keys", [], /at least one key/],
    ["a short key", [{ id: "a", key: new Uint8Array(16) }], /key "a" must have 32 bytes/],
    ["an empty key", [{ id: "a", key: new Uint8Array(0) }], /key "a" must have 32 bytes/],
    ["a text as a key", [{ id: "a", key: text }], /key "a" must have 32 bytes/],
    ["a public key", [{ id: "a", key: generateKeyPairSync("ed25519").publicKey }], /key "a" must have/],
    ["an id with a dot", [{ ...OLD, id: "a.b" }], /1 to 64 letters/],
    ["an id twice", [OLD, { ...NEW, id: "2025" }], /two keys have the id "2025"/],
  ])("are refused without saying the key: %s", (_what, keys, message) => {
    const make = (): PayloadCodec => encryptedCodec({ keys: keys as EncryptionKey[] });
    expect(make).toThrow(
      expect.objectContaining({ code: "configuration", message: expect.stringMatching(message) }),
    );
    expect(make).not.toThrow(text);
  });

  it("are refused if there is no such option", () => {
    expect(() => encryptedCodec({ keys: [OLD], compres: {} } as never)).toThrow(/did you mean "compress"/);
  });

  it("are refused for compression, too", () => {
    expect(() => codecWith({ compress: { aboveBytes: -1 } })).toThrow(/aboveBytes/);
    expect(() => codecWith({ compress: { aboveBytes: 1, method: "zip" as never } })).toThrow(
      /"brotli" or "deflate"/,
    );
  });
});

describe("a payload that compression makes short", () => {
  const compress = { aboveBytes: 1_000 };

  it("is refused where what is compressed is longer than the limit of payloads", () => {
    const codec = limitedCodec(codecWith({ compress }), 10_000, new LargePayloads(silentLogger));
    const kept = "a".repeat(9_000);
    expect(codec.decode(codec.encode(kept, "activity-input", "a"))).toBe(kept);
    expect(() => codec.encode("a".repeat(20_000), "activity-input", "a")).toThrow(
      expect.objectContaining({ code: "limit-exceeded" }),
    );
  });

  it.each(["brotli", "deflate"] as const)("is not unpacked without a bound (%s)", (method) => {
    const codec = codecWith({ compress: { ...compress, method } });
    const text = codec.encode("a".repeat(20_000_000));
    expect(refusal(codec, text)).toMatch(/longer than 16777216 bytes/);
    expect(codec.within?.(6_000_000).decode(text)).toHaveLength(20_000_000);
  });
});
