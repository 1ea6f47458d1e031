/** Runtime and client try a codec before they use it. */
import {
  activity,
  Client,
  jsonCodec,
  orchestration,
  type PayloadCodec,
  PayloadError,
  Runtime,
  rawCodec,
  rustTypedCodec,
} from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";

const handlers = {
  activities: [activity("a", () => {})],
  orchestrations: [orchestration("o", async () => {})],
};

const codecOf = (changes: Partial<PayloadCodec>): PayloadCodec => ({
  ...jsonCodec,
  name: "mine",
  ...changes,
});

async function refusalOf(codec: PayloadCodec): Promise<string> {
  const provider = new MemoryProvider();
  expect(() => new Client(provider, { codec })).toThrow(/cannot be used/);
  const failure = await Runtime.start({ provider, codec, ...handlers }).then(
    String,
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ code: "configuration" });
  return (failure as Error).message;
}

describe("a codec", () => {
  it("that has no text for undefined, which most functions return, is refused", async () => {
    expect(await refusalOf(codecOf({ encode: (value) => JSON.stringify(value) }))).toBe(
      'codec "mine" cannot be used: encode of undefined returns undefined where it must return a text',
    );
  });

  it("that throws for undefined, or returns something else for it, is refused", async () => {
    const fails = codecOf({ encode: (value) => JSON.stringify((value as object).valueOf()) });
    expect(await refusalOf(fails)).toContain("encode of undefined throws");
    const changes = codecOf({ encode: (value) => jsonCodec.encode(value === undefined ? "nothing" : value) });
    expect(await refusalOf(changes)).toContain('undefined comes back from it as "nothing"');
  });

  it("may refuse undefined with a PayloadError, or return null for it", () => {
    const refuses = codecOf({
      encode(value) {
        if (value === undefined) throw new PayloadError("mine", "", "is undefined");
        return jsonCodec.encode(value);
      },
    });
    for (const codec of [refuses, jsonCodec, rawCodec, rustTypedCodec])
      expect(() => new Client(new MemoryProvider(), { codec })).not.toThrow();
  });

  it.each([undefined, 5, ""])("with the name %o is refused", async (name) => {
    expect(await refusalOf(codecOf({ name: name as string }))).toMatch(
      /its name is .*; give it a text, for messages and logs$/,
    );
  });
});
