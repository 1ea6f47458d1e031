/** Patch: operations, bodies, answers, and what it refuses. */
import { inGroup } from "../check.ts";
import { expectEqual, expectStatus, expectSuccess } from "../expect.ts";
import { itemWith, SET_1 } from "../given/patched-item.ts";
import { type Target, unique } from "../target.ts";
import { PATCH_CASES } from "./patch-cases.ts";

export const PATCH = inGroup("patch", [
  ...PATCH_CASES.map(({ name, before, operations, after }) => ({
    name,
    evidence: ["1.5 patch rules", "1.5 patch order", "1.5 patch bounds", "5.3 patch", "5.2 patch"] as const,
    async run(target: Target) {
      const { patch, stored } = await itemWith(target, before);
      const reply = await patch({ operations });
      if (after === 400) expectStatus(reply, 400);
      else expectSuccess(reply);
      expectEqual(await stored(), after === 400 ? before : after, "the stored fields");
    },
  })),
  {
    name: "a bare list of operations is taken, with any content type or none",
    evidence: ["0.6 patch bodies", "1.5 patch body", "5.3 patch", "5.2 patch", "6 patch"],
    async run(target) {
      const { patch, stored } = await itemWith(target, { n: 0 });
      const increment = [{ op: "incr", path: "/n", value: 1 }];
      const types = [
        {},
        { "content-type": "application/json" },
        { "content-type": "application/json_patch+json" },
      ];
      for (const headers of types) expectStatus(await patch(increment, headers), 200);
      for (const headers of types) expectStatus(await patch({ operations: increment }, headers), 200);
      expectEqual(await stored(), { n: 6 }, "the stored fields");
    },
  },
  {
    name: "the answer is the new item with a new etag",
    evidence: ["1.5 patch status", "6 statuses"],
    async run(target) {
      const { patch, items, pk } = await itemWith(target, { n: 0 });
      const reply = expectStatus(await patch(SET_1), 200);
      expectEqual([reply.fields["n"], reply.header("etag")], [1, reply.fields["_etag"]], "the answer");
      expectEqual((await items.read([pk], "a")).fields, reply.fields, "the stored item");
    },
  },
  {
    name: "an absent item is 404",
    evidence: ["2.1 404"],
    async run(target) {
      const items = await target.items;
      expectStatus(await items.patch([unique("pk")], "absent", SET_1), 404);
    },
  },
  {
    name: "10 operations are taken and 11 refused",
    evidence: ["3.1 patch", "1.5 patch rules"],
    async run(target) {
      const { patch, stored } = await itemWith(target, {});
      const operations = Array.from({ length: 11 }, () => ({ op: "incr", path: "/n", value: 1 }));
      expectStatus(await patch(operations), 400);
      expectStatus(await patch(operations.slice(1)), 200);
      expectEqual(await stored(), { n: 10 }, "the stored fields");
    },
  },
  {
    name: "no operations, and a body that is no patch, are refused",
    evidence: ["2.1 400"],
    async run(target) {
      const { patch } = await itemWith(target, {});
      for (const body of [
        [],
        {},
        { operations: [] },
        "text",
        "{",
        [{ op: "set" }],
        [{ path: "/a", value: 1 }],
      ]) {
        expectStatus(await patch(body), 400);
      }
    },
  },
  {
    name: "the id, the partition key and the system fields cannot be patched, the ttl can",
    evidence: ["1.5 patch order", "1.5 patch rules"],
    async run(target) {
      const { patch, stored } = await itemWith(target, {});
      for (const path of ["/id", "/pk", "/_ts", "/_etag", "/_rid", "/_self"]) {
        expectStatus(await patch([{ op: "set", path, value: "other" }]), 400);
      }
      expectStatus(await patch([{ op: "set", path: "/ttl", value: 1000 }]), 200);
      expectEqual(await stored(), { ttl: 1000 }, "the stored fields");
    },
  },
  {
    name: "patch sets _ts to the time of the patch",
    evidence: ["4 clock"],
    async run(target) {
      const { patch, items, pk } = await itemWith(target, {});
      const before = Number((await items.read([pk], "a")).fields["_ts"]);
      await new Promise((resolve) => setTimeout(resolve, 1100));
      const after = Number(expectStatus(await patch(SET_1), 200).fields["_ts"]);
      expectEqual(after > before, true, `_ts grew from ${before} to ${after}`);
    },
  },
  {
    name: "the SDK patches with a list, and with a condition",
    evidence: ["0.6 patch bodies", "5.2 patch", "5.2 sdk", "6 patch"],
    async run(target) {
      const { pk } = await itemWith(target, { n: 0 });
      const item = (await target.sdkContainer()).item("a", pk);
      expectEqual((await item.patch([{ op: "incr", path: "/n", value: 1 }])).statusCode, 200, "the list");
      const conditional = {
        condition: "from c where c.n = 1",
        operations: [{ op: "incr" as const, path: "/n", value: 1 }],
      };
      expectEqual((await item.patch(conditional)).resource?.n, 2, "n after a condition that is true");
      const error: unknown = await item.patch(conditional).catch((thrown: unknown) => thrown);
      expectEqual((error as { code?: unknown }).code, 412, "the code of a condition that is false");
    },
  },
]);
