/**
 * Probe 8: what was written is seen with its session token; how often it is not seen without one, and whether the answer
 * says so by its position (connection/seen-positions.ts).
 */
import {
  expectEqual,
  expectStatus,
  type Fields,
  Items,
  type Reply,
} from "@duroxide-ts/cosmos-emulator/conformance";
import { step } from "../step.ts";

const RANGE = "x-ms-documentdb-partitionkeyrangeid";
const CONTAINER = "x-ms-content-path";

export const OWN_WRITES = step({
  id: "2.8",
  phase: 2,
  title: "Reading what was written",
  gates: {
    "session-reads":
      "a query by key and a query by range, with the token of a batch, see what the batch wrote",
    "answer-positions":
      "an answer without a token names its container and a position, and one at the position of a write shows it",
    "refusal-positions":
      "a batch that is refused with 404, 409 or 412 names a position that is not before that of an earlier write",
  },
  estimateRu: ({ readsAfterWrites }) => readsAfterWrites * 24,
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
    const misplaced: string[] = [];
    const misplacedRefusals: string[] = [];
    await notes.gate("session-reads", async () => {
      for (let n = 0; n < stage.scale.readsAfterWrites; n++) {
        const write = { operationType: "Upsert", resourceBody: { id: "a", instanceId: pk, n } };
        const reply = expectStatus(await items.batch([pk], [write]), 200);
        for (const operation of REFUSED) {
          const refused = expectStatus(await items.batch([pk], [operation(pk)]), 207);
          if (!(positionOf(refused) >= positionOf(reply)))
            misplacedRefusals.push(`write ${n} at ${tokenOf(reply)}: ${tokenOf(refused)}`);
        }
        const range = { [RANGE]: reply.header(RANGE) ?? "" };
        const token = {
          "x-ms-session-token": reply.header("x-ms-session-token") ?? "",
          "x-ms-consistency-level": "Session",
        };
        const without = await withoutSession.query(query, { key: [pk], parameters });
        const isShown = JSON.stringify(without.list) === `[${n}]`;
        if (!isShown) stale++;
        const isReached = positionOf(without) >= positionOf(reply) && without.header(CONTAINER) !== undefined;
        if (isReached !== isShown) misplaced.push(`write ${n} at ${tokenOf(reply)}: ${tokenOf(without)}`);
        const byKey = expectStatus(await items.query(query, { key: [pk], parameters, headers: token }), 200);
        expectEqual(byKey.list, [n], `write ${n} by key`);
        const byRange = expectStatus(
          await items.query(query, { parameters, headers: { ...range, ...token } }),
          200,
        );
        expectEqual(byRange.list, [n], `write ${n} by range`);
      }
    });
    await notes.gate("answer-positions", () => expectEqual(misplaced, [], "answers whose position is wrong"));
    await notes.gate("refusal-positions", () =>
      expectEqual(misplacedRefusals, [], "refusals whose position is wrong"),
    );
    notes.record("stale without a token", `${stale} of ${stage.scale.readsAfterWrites}`);
  },
});

/** Refused with 404, 409 and 412. */
const REFUSED: readonly ((instanceId: string) => Fields)[] = [
  () => ({ operationType: "Delete", id: "absent" }),
  (instanceId) => ({ operationType: "Create", resourceBody: { id: "a", instanceId } }),
  () => ({ operationType: "Delete", id: "a", ifMatch: "wrong" }),
];

const tokenOf = (reply: Reply): string => reply.header("x-ms-session-token") ?? "no token";

/** The LSN of `range:version#lsn#region=lsn…`; NaN without one. */
const positionOf = (reply: Reply): number => Number(tokenOf(reply).split("#")[1]);
