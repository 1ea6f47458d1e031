/** The other scripts of a container. */
import { inGroup } from "../check.ts";
import { expectEqual, expectStatus } from "../expect.ts";

export const TRIGGERS_AND_FUNCTIONS = inGroup("triggers and functions", [
  {
    name: "a query calls a user-defined function",
    evidence: ["recorded: functions of users"],
    async run(target) {
      const items = await target.temporary();
      const body = { id: "plus1", body: "function (n) { return n + 1; }" };
      expectStatus(await target.raw.send({ method: "POST", link: `${items.link}/udfs`, body }), 201);
      await items.create(["p"], { id: "a", pk: "p" });
      const found = expectStatus(
        await items.query("SELECT udf.plus1(1) AS v FROM c", { key: ["p"] }),
        200,
      ).list;
      expectEqual(found, [{ v: 2 }], "the result");
    },
  },
  {
    name: "a trigger runs for the write that names it",
    evidence: ["1.13 triggers"],
    async run(target) {
      const items = await target.temporary();
      const body =
        "function () { const request = getContext().getRequest(); const item = request.getBody(); item.stamped = true; request.setBody(item); }";
      const trigger = { id: "stamp", body, triggerType: "Pre", triggerOperation: "All" };
      expectStatus(
        await target.raw.send({ method: "POST", link: `${items.link}/triggers`, body: trigger }),
        201,
      );
      const headers = { "x-ms-documentdb-pre-trigger-include": "stamp" };
      expectEqual(
        expectStatus(await items.create(["p"], { id: "a", pk: "p" }, headers), 201).fields["stamped"],
        true,
        "the stamp",
      );
      expectEqual(
        expectStatus(await items.create(["p"], { id: "b", pk: "p" }), 201).fields["stamped"],
        undefined,
        "no stamp",
      );
    },
  },
]);
