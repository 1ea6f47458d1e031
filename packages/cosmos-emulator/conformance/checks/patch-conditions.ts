/** Patches that depend on the state of their item. */
import { inGroup } from "../check.ts";
import { expectEqual, expectStatus } from "../expect.ts";
import { itemWith, SET_1 } from "../given/patched-item.ts";

export const PATCH_CONDITIONS = inGroup("patch", [
  {
    name: "a condition that is true lets the patch through, a false one is 412 and changes nothing",
    evidence: ["4 condition", "1.5 patch order", "5.3 patch", "6 patch"],
    async run(target) {
      const { patch, stored } = await itemWith(target, { n: 0, state: "open" });
      const conditional = (condition: string) =>
        patch({ condition, operations: [{ op: "incr", path: "/n", value: 1 }] });
      expectStatus(await conditional("from c where c.state = 'open'"), 200);
      expectStatus(await conditional("from c where c.state = 'open' and c.n < 5"), 200);
      const refused = expectStatus(await conditional("from c where c.state = 'closed'"), 412);
      expectEqual(refused.fields["code"], "PreconditionFailed", "the code");
      expectStatus(await conditional("from c where c.absent = 1"), 412);
      expectEqual(await stored(), { n: 2, state: "open" }, "the stored fields");
    },
  },
  {
    name: "a condition may leave its FROM away and use any name for the item",
    evidence: ["4 literal conditions"],
    async run(target) {
      const { patch, stored } = await itemWith(target, { n: 0, at: "2026-01-02", Value: 1 });
      const increment = [{ op: "incr", path: "/n", value: 1 }];
      for (const condition of [
        "FROM u WHERE u.at < '2026-02-01'",
        "WHERE NOT IS_STRING(c.Value)",
        "from root r where r.n = 2",
      ]) {
        expectStatus(await patch({ condition, operations: increment }), 200);
      }
      expectStatus(await patch({ condition: "WHERE IS_STRING(c.Value)", operations: increment }), 412);
      expectEqual((await stored())["n"], 3, "n");
    },
  },
  {
    name: "a malformed condition is 400",
    evidence: ["2.1 400", "4 condition"],
    async run(target) {
      const { patch } = await itemWith(target, {});
      expectStatus(await patch({ condition: "from c where c.n ===", operations: SET_1 }), 400);
    },
  },
  {
    name: "of 16 conditional patches of one state exactly one wins",
    evidence: ["4 condition", "4 compare and swap"],
    async run(target) {
      const { patch } = await itemWith(target, { owner: null });
      const claims = Array.from({ length: 16 }, (_, owner) =>
        patch({
          condition: "from c where c.owner = null",
          operations: [{ op: "set", path: "/owner", value: owner }],
        }),
      );
      // The service may ask for another attempt (449) when many writers meet; none of those has been applied.
      const statuses = (await Promise.all(claims))
        .map((reply) => reply.status)
        .filter((status) => status !== 449);
      expectEqual(statuses.filter((status) => status === 200).length, 1, "the patches that were applied");
      expectEqual(
        statuses.every((status) => status === 200 || status === 412),
        true,
        "the others are 412",
      );
    },
  },
]);
