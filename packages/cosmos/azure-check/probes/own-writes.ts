/** Probe 8: what was written is seen with its session token; how often it is not seen without one. */
import { Items } from "../../../cosmos-emulator/conformance/client/items.ts";
import { expectEqual, expectStatus } from "../../../cosmos-emulator/conformance/expect.ts";
import { step } from "../step.ts";

const RANGE = "x-ms-documentdb-partitionkeyrangeid";

export const OWN_WRITES = step({
  id: "2.8",
  phase: 2,
  title: "Reading what was written",
  gates: {
    "session-reads":
      "a query by key and a query by range, with the token of a batch, see what the batch wrote",
  },
  estimateRu: ({ readsAfterWrites }) => readsAfterWrites * 16,
  async run(stage, notes) {
    const { link } = await stage.items;
    using raw = {
      client: stage.rawClient(undefined, { keepsSession: false }),
      [Symbol.dispose]: () => raw.client.close(),
    };
    const items = new Items(stage.raw, link);
    const withoutSession = new Items(raw.client, link);
    const pk = stage.partition("own");
    const query = "SELECT VALUE c.n FROM c WHERE c.instanceId = @pk";
    const parameters = [{ name: "@pk", value: pk }];
    let stale = 0;
    await notes.gate("session-reads", async () => {
      for (let n = 0; n < stage.scale.readsAfterWrites; n++) {
        const write = { operationType: "Upsert", resourceBody: { id: "a", instanceId: pk, n } };
        const reply = expectStatus(await items.batch([pk], [write]), 200);
        const range = { [RANGE]: reply.header(RANGE) ?? "" };
        const token = {
          "x-ms-session-token": reply.header("x-ms-session-token") ?? "",
          "x-ms-consistency-level": "Session",
        };
        const without = await withoutSession.query(query, { key: [pk], parameters });
        if (JSON.stringify(without.list) !== `[${n}]`) stale++;
        const byKey = expectStatus(await items.query(query, { key: [pk], parameters, headers: token }), 200);
        expectEqual(byKey.list, [n], `write ${n} by key`);
        const byRange = expectStatus(
          await items.query(query, { parameters, headers: { ...range, ...token } }),
          200,
        );
        expectEqual(byRange.list, [n], `write ${n} by range`);
      }
    });
    notes.record("stale without a token", `${stale} of ${stage.scale.readsAfterWrites}`);
  },
});
