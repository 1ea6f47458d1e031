/** Probe 18: the service's clock in a query, by which leases on documents expire. */
import { expect, expectStatus } from "../../../cosmos-emulator/conformance/expect.ts";
import { step } from "../step.ts";

/** The Date header has whole seconds; the rest is the way through the service. */
const TOLERATED_MS = 2_000;

export const TIMESTAMP = step({
  id: "2.18",
  phase: 2,
  title: "The service's clock in a query",
  gates: {},
  estimateRu: () => 15,
  isRecorded: true,
  async run(stage, notes) {
    const { items, pk } = await stage.partitionWith("clock", { id: "a" });
    const query = "SELECT VALUE GetCurrentTimestampStatic() FROM c";
    const reply = expectStatus(await items.query(query, { key: [pk] }), 200);
    const apartMs = Number(reply.list[0]) - Date.parse(reply.header("date") ?? "");
    notes.record("ahead of the Date header, ms", apartMs);
    await notes.expect("it is that of the Date header, in milliseconds", () =>
      expect(Math.abs(apartMs) < TOLERATED_MS, `it is ${apartMs} ms ahead`),
    );
    const filtered = await items.query(
      "SELECT VALUE c.id FROM c WHERE c._ts * 1000 <= GetCurrentTimestampStatic() + 5000",
      {
        key: [pk],
      },
    );
    await notes.expect("it can be compared in a filter", () =>
      expect(expectStatus(filtered, 200).list.length === 1, "no row"),
    );
  },
});
