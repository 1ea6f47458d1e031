/** Probe 16: numbers beyond 2^53, and ids and keys at their limits. */
import type { Items } from "../../../cosmos-emulator/conformance/client/items.ts";
import { expect, expectEqual, expectStatus } from "../../../cosmos-emulator/conformance/expect.ts";
import { step } from "../step.ts";

const NUMBERS = ["9007199254740993", "18446744073709551615", "-9223372036854775808"];
const LONGEST_ID = 1_023;
const LONGEST_KEY = 2_048;

export const NUMBERS_AND_NAMES = step({
  id: "2.16",
  phase: 2,
  title: "Numbers, ids and partition keys at their limits",
  gates: {},
  estimateRu: () => 150,
  isRecorded: true,
  async run(stage, notes) {
    const items = await stage.items;
    const pk = stage.partition("limits");
    for (const number of NUMBERS) {
      await notes.expect(`${number} keeps its digits`, async () => {
        const body = `{"id":${JSON.stringify(`n${number}`)},"instanceId":${JSON.stringify(pk)},"n":${number},"text":"${number}"}`;
        expectStatus(await items.create([pk], body), 201);
        const { text } = expectStatus(await items.read([pk], `n${number}`), 200);
        expectEqual(/"n":\s*([-+\d.eE]+)/.exec(text)?.[1], number, "the stored number");
        expectEqual(/"text":\s*"([^"]*)"/.exec(text)?.[1], number, "the stored text");
      });
    }
    for (const id of ["ünïcödé-ключ-鍵", "🚀-emoji", "with space", "i".repeat(LONGEST_ID)]) {
      await notes.expect(
        `an id such as ${id.slice(0, 20)} of ${Buffer.byteLength(id)} bytes is stored and found`,
        () => storedAndFound(items, pk, id),
      );
    }
    await notes.expect(`a partition key of ${LONGEST_KEY} bytes is taken`, () =>
      storedAndFound(items, pk.padEnd(LONGEST_KEY, "k"), "a"),
    );
    const beyond = await items.create([pk.padEnd(LONGEST_KEY + 1, "k")], {
      id: "a",
      instanceId: pk.padEnd(LONGEST_KEY + 1, "k"),
    });
    notes.record("a partition key of 2,049 bytes", `${beyond.status}/${beyond.substatus}`);
    await notes.expect("one of 2,049 bytes is refused", () => expect(beyond.status >= 400, "it is taken"));
  },
});

async function storedAndFound(items: Items, pk: string, id: string): Promise<void> {
  expectStatus(await items.create([pk], { id, instanceId: pk }), 201);
  expectEqual(expectStatus(await items.read([pk], id), 200).fields["id"], id, "the stored id");
}
