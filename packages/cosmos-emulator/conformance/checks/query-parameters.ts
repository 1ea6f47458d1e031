/** The parameters of queries. */
import { inGroup } from "../check.ts";
import type { Fields } from "../client/reply.ts";
import { expectEqual, expectStatus } from "../expect.ts";
import { resultsOn } from "../given/results-on.ts";
import { thirty } from "../given/seed.ts";

export const QUERY_PARAMETERS = inGroup("query", [
  {
    name: "parameters take every JSON value",
    evidence: ["recorded: parameters", "1.8 request"],
    async run(target) {
      const values = ["text", 1, 1.5, true, null, [1, "a"], { a: { b: 1 } }, 1e300];
      const names = values.map((_, index) => `@p${index}`);
      const parameters = values.map((value, index) => ({ name: `@p${index}`, value }));
      expectEqual(
        await resultsOn(target, {}, `SELECT VALUE [${names.join(", ")}] FROM c`, parameters),
        [values],
        "the values",
      );
    },
  },
  {
    name: "a parameter that is not given is undefined, one that is not used does no harm",
    evidence: ["recorded: parameters"],
    async run(target) {
      const query = "SELECT IS_DEFINED(@absent) AS a, IS_DEFINED(@empty) AS b, @absent AS c FROM c";
      const parameters = [{ name: "@empty" }, { name: "@unused", value: 1 }];
      expectEqual(await resultsOn(target, {}, query, parameters), [{ a: false, b: false }], "the result");
    },
  },
  {
    name: "a parameter without @, or given twice, is 400",
    evidence: ["recorded: parameters", "2.1 400"],
    async run(target) {
      const items = await target.items;
      const ask = (parameters: readonly Fields[]) =>
        items.query("SELECT * FROM c", { key: ["p"], parameters });
      expectStatus(await ask([{ name: "p", value: 1 }]), 400);
      const twice = [
        { name: "@p", value: 1 },
        { name: "@p", value: 2 },
      ];
      expectStatus(await ask(twice), 400);
    },
  },
  {
    name: "parameters name properties, and bind TOP, OFFSET and LIMIT",
    evidence: ["recorded: parameters"],
    async run(target) {
      const items = await thirty(target);
      const ask = async (query: string, ...parameters: readonly Fields[]) =>
        expectStatus(await items.query(query, { key: ["p5"], parameters }), 200).list;
      expectEqual(
        await ask("SELECT VALUE c[@name] FROM c WHERE c.n = 5", { name: "@name", value: "grp" }),
        ["g2"],
        "c[@name]",
      );
      expectEqual(
        (await ask("SELECT TOP @top c.id FROM c", { name: "@top", value: 2 })).length,
        2,
        "TOP @top",
      );
      const page = [
        { name: "@o", value: 1 },
        { name: "@l", value: 1 },
      ];
      expectEqual(
        await ask("SELECT VALUE c.n FROM c ORDER BY c.n OFFSET @o LIMIT @l", ...page),
        [15],
        "OFFSET @o LIMIT @l",
      );
    },
  },
]);
