/** Lengths of names. The other limits stand with what they limit. */
import { inGroup } from "../check.ts";
import { expectStatus } from "../expect.ts";
import { FIXTURES } from "../given/fixtures.ts";

export const LIMITS = inGroup("limits", [
  {
    name: "names of databases, containers and procedures have 255 characters at most",
    evidence: ["3.1 names"],
    async run(target) {
      const tooLong = "n".repeat(256);
      const { link } = await target.items;
      const create = (feed: string, body: object) =>
        target.raw.send({ method: "POST", link: feed, body: { id: tooLong, ...body } });
      expectStatus(await create("dbs", {}), 400);
      expectStatus(await create(`${target.databaseLink}/colls`, FIXTURES.plain), 400);
      expectStatus(await create(`${link}/sprocs`, { body: "function () {}" }), 400);
    },
  },
  {
    name: "names with characters of addresses are refused",
    evidence: ["recorded: refused containers", "2.1 400"],
    async run(target) {
      for (const character of ["/", "\\", "?", "#"]) {
        const body = { id: `a${character}b`, ...FIXTURES.plain };
        expectStatus(
          await target.raw.send({ method: "POST", link: `${target.databaseLink}/colls`, body }),
          400,
        );
      }
    },
  },
]);
