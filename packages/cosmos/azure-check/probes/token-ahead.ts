/** Probe 9: a session token that is ahead of the partition, as after a restore or a failover. */
import { expect, expectStatus } from "../../../cosmos-emulator/conformance/expect.ts";
import { step } from "../step.ts";

const AHEAD = 1_000_000;

export const TOKEN_AHEAD = step({
  id: "2.9",
  phase: 2,
  title: "A session token that is ahead",
  gates: {},
  estimateRu: () => 12,
  isRecorded: true,
  async run(stage, notes) {
    const items = await stage.items;
    const pk = stage.partition("ahead");
    const created = expectStatus(await items.create([pk], { id: "a", instanceId: pk }), 201);
    const token = created.header("x-ms-session-token") ?? "";
    notes.record("form of a token", token.replaceAll(/\d{3,}/g, "…"));
    const ahead = aheadOf(token);
    const refused = await items.read([pk], "a", {
      "x-ms-session-token": ahead,
      "x-ms-consistency-level": "Session",
    });
    await notes.expect("a read with it is 404/1002", () => expectStatus(refused, 404, 1002));
    await notes.expect("a read without it finds the document", async () =>
      expectStatus(await items.read([pk], "a"), 200),
    );
  },
});

/** Every LSN of `range:version#lsn#region=lsn…` a million further. */
function aheadOf(token: string): string {
  const [head = "", lsn, ...regions] = token.split("#");
  expect(lsn !== undefined, `the token ${JSON.stringify(token)} has no LSN`);
  const local = regions.map((each) =>
    each.replace(/=(\d+)$/, (_, digits: string) => `=${Number(digits) + AHEAD}`),
  );
  return [head, Number(lsn) + AHEAD, ...local].join("#");
}
