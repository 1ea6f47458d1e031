/** Probe 14: documents that expire, as receipts and member documents do. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, expectStatus } from "@duroxide-ts/cosmos-emulator/conformance";
import { step } from "../step.ts";

const TTL_SECONDS = 2;
const LOOK_EVERY_MS = 100;
const SET = [{ op: "set", path: "/n", value: 1 }];

export const TIME_TO_LIVE = step({
  id: "2.14",
  phase: 2,
  title: "Time to live",
  gates: {},
  estimateRu: () => 200,
  async run(stage, notes) {
    // The one that is looked for was written last, so that the others have expired before it.
    const documents = ["queried", "created", "patched", "read"].map((id) => ({ id, ttl: TTL_SECONDS }));
    const { items, pk } = await stage.partitionWith("expiring", ...documents);
    const writtenMs = Date.now();
    const untilMs = writtenMs + stage.scale.patienceMs;
    let status = 200;
    while (status === 200 && Date.now() < untilMs) {
      status = (await items.read([pk], "read")).status;
      if (status === 200) await sleep(LOOK_EVERY_MS);
    }
    notes.record("invisible after ms", Date.now() - writtenMs);
    await notes.expect("a read of an expired document is 404", () =>
      expect(status === 404, `it is ${status}`),
    );
    await notes.expect("a query does not find it", async () => {
      const reply = expectStatus(
        await items.query("SELECT VALUE c.id FROM c WHERE c.id = 'queried'", { key: [pk] }),
        200,
      );
      expect(reply.list.length === 0, "it is found");
    });
    await notes.expect("its id is free", async () =>
      expectStatus(await items.create([pk], { id: "created", instanceId: pk }), 201),
    );
    await notes.expect("a patch of it is 404", async () =>
      expectStatus(await items.patch([pk], "patched", SET), 404),
    );
  },
});
