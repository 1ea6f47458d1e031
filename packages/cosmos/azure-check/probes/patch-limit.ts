/** Probe 6: eleven operations in one patch. The provider sends three at most. */
import type { Fields } from "../../../cosmos-emulator/conformance/client/reply.ts";
import { expectStatus } from "../../../cosmos-emulator/conformance/expect.ts";
import { step } from "../step.ts";

const MOST = 10;

export const PATCH_LIMIT = step({
  id: "2.6",
  phase: 2,
  title: "Operations of a patch",
  gates: {},
  estimateRu: () => 40,
  isRecorded: true,
  async run(stage, notes) {
    const { items, pk } = await stage.partitionWith("patch", { id: "a" });
    const sets = (count: number): readonly Fields[] =>
      Array.from({ length: count }, (_, n) => ({ op: "set", path: `/n${n}`, value: n }));
    await notes.expect("ten operations are taken", async () =>
      expectStatus(await items.patch([pk], "a", sets(MOST)), 200),
    );
    await notes.expect("eleven operations are refused with 400", async () =>
      expectStatus(await items.patch([pk], "a", sets(MOST + 1)), 400),
    );
  },
});
