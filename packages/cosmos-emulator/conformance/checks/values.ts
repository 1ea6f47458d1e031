/** The echo of JSON values: numbers, texts and bodies that are none. */
import { inGroup } from "../check.ts";
import { expectEqual, expectMatch, expectStatus } from "../expect.ts";
import { type Target, unique } from "../target.ts";

/** Sent, and as the service echoes it (recording 061). */
const NUMBERS: readonly (readonly [name: string, sent: string, echoed: string])[] = [
  ["i64", "9007199254740993", "9007199254740993"],
  ["u64", "18446744073709551615", "18446744073709551615"],
  ["i64min", "-9223372036854775808", "-9223372036854775808"],
  ["above", "18446744073709551616", "1.8446744073709552e+019"],
  ["huge", "123456789012345678901234567890", "1.2345678901234568e+029"],
  ["digits", "0.1000000000000000055511151231257827", "0.1"],
  ["one", "1.0", "1"],
  ["negative_zero", "-0.0", "0"],
  ["largest", "1.7976931348623157e308", "1.7976931348623157e+308"],
  ["smallest", "5e-324", "4.94065645841247e-324"],
  ["underflow", "1e-400", "0"],
  ["fraction", "12345678901234567890.123", "1.2345678901234567e+019"],
];

const numbersBody = (pk: string): string =>
  `{"id":"a","pk":${JSON.stringify(pk)},${NUMBERS.map(([name, sent]) => `"${name}":${sent}`).join(",")}}`;

/** The digits of a member, which `JSON.parse` would round. */
const digitsOf = (text: string, name: string): string | undefined =>
  new RegExp(`"${name}":\\s*([^,}\\]\\s]+)`).exec(text)?.[1];

export const VALUES = inGroup("values", [
  ...NUMBERS.map(([name, sent, echoed]) => ({
    name: `${sent} is echoed as ${echoed}`,
    evidence: ["1.5 numbers"] as const,
    async run(target: Target) {
      const items = await target.items;
      const pk = unique("pk");
      const created = expectStatus(await items.create([pk], numbersBody(pk)), 201);
      expectEqual(digitsOf(created.text, name), echoed, "the digits when created");
      const read = expectStatus(await items.read([pk], "a"), 200);
      expectEqual(digitsOf(read.text, name), echoed, "the digits when read");
    },
  })),
  {
    name: "a query keeps integers of 64 bits and rounds what is above",
    evidence: ["1.5 computed numbers", "recorded: arithmetic"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      await items.create([pk], numbersBody(pk));
      const { text } = expectStatus(
        await items.query("SELECT c.i64, c.i64min, c.u64 FROM c", { key: [pk] }),
        200,
      );
      expectEqual(digitsOf(text, "i64"), "9007199254740993", "i64");
      expectEqual(digitsOf(text, "i64min"), "-9223372036854775808", "i64min");
      expectEqual(digitsOf(text, "u64"), "1.8446744073709552e+19", "u64");
    },
  },
  {
    name: "arithmetic in a query comes out as recorded, doubles with 17 digits",
    evidence: ["1.5 computed numbers", "recorded: arithmetic"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      await items.create([pk], numbersBody(pk));
      const query =
        "SELECT 9007199254740993 + 1 AS a, 0.1 + 0.2 AS b, 1/3 AS d, 12345678901234567890 AS e FROM c";
      const { text } = expectStatus(await items.query(query, { key: [pk] }), 200);
      const digits = ["a", "b", "d", "e"].map((name) => digitsOf(text, name));
      const seen = [
        "9007199254740994",
        "0.30000000000000004",
        "0.33333333333333331",
        "1.2345678901234567e+19",
      ];
      expectEqual(digits, seen, "the digits");
    },
  },
  {
    name: "an unpaired surrogate is stored as U+FFFD",
    evidence: ["1.5 surrogates"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const body = `{"id":"a","pk":${JSON.stringify(pk)},"s":"a\\ud800b"}`;
      expectEqual(expectStatus(await items.create([pk], body), 201).fields["s"], "a\ufffdb", "the text");
      expectEqual((await items.read([pk], "a")).fields["s"], "a\ufffdb", "the text when read");
    },
  },
  {
    name: "a NUL and every other character survive",
    evidence: ["recorded: NUL"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const s = 'a\u0000b\u001f"\\/\u2028\u2029\u00e9\u65e5\ud83d\ude00\ufeff';
      expectStatus(await items.create([pk], { id: "a", pk, s, [s]: 1 }), 201);
      const stored = expectStatus(await items.read([pk], "a"), 200).fields;
      expectEqual([stored["s"], stored[s]], [s, 1], "the text as value and as name");
    },
  },
  {
    name: "a body that is no JSON is 400",
    evidence: ["recorded: refused bodies", "2.1 400"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const member = `"id":"a","pk":${JSON.stringify(pk)}`;
      const bodies = [
        "",
        "{",
        "no json",
        `{${member},}`,
        `{${member}} x`,
        `{${member},"n":NaN}`,
        `{${member},"n":1e400}`,
      ];
      for (const body of [...bodies, `{${member},"n":01}`, `{${member},'n':1}`]) {
        const reply = expectStatus(await items.create([pk], body), 400);
        expectMatch(String(reply.fields["message"]), /./, "the message");
      }
    },
  },
  {
    name: "a body that is no object, or has no id, is 400",
    evidence: ["recorded: refused bodies", "2.1 400"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      for (const body of ["1", '"text"', "null", "[]", JSON.stringify({ pk })]) {
        expectStatus(await items.create([pk], body), 400);
      }
    },
  },
  {
    name: "128 levels of nesting are stored and far more are refused",
    evidence: ["3.1 depth"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const nested = (levels: number): string =>
        `{"id":"n${levels}","pk":${JSON.stringify(pk)},"d":${"[".repeat(levels)}${"]".repeat(levels)}}`;
      expectStatus(await items.create([pk], nested(100)), 201);
      for (const levels of [200, 100_000]) expectStatus(await items.create([pk], nested(levels)), 400);
    },
  },
  {
    name: "an item of 3 MiB is 413",
    evidence: ["2.1 413", "3.1 item size"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const reply = expectStatus(
        await items.create([pk], { id: "a", pk, text: "x".repeat(3 * 1024 * 1024) }),
        413,
      );
      expectMatch(String(reply.fields["message"]), /too large/i, "the message");
      expectStatus(await items.read([pk], "a"), 404);
    },
  },
]);
