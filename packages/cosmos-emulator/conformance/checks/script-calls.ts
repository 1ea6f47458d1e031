/** The use of its container by a script: calls, callbacks, and their transaction. */
import { inGroup } from "../check.ts";
import { expect, expectEqual, expectMatch, expectStatus } from "../expect.ts";
import { messageOf, numbersOf, PATCH, procedure, withItem } from "../given/stored-procedure.ts";
import { unique } from "../target.ts";

export const SCRIPT_CALLS = inGroup("stored procedures", [
  {
    name: "what it writes is committed together",
    evidence: ["1.13 collection", "1.13 callback", "4 sprocs", "1.13 snapshot"],
    async run(target) {
      const stored = await procedure(
        target,
        `function () {
          ${PATCH}
          c.readDocument(c.getAltLink() + "/docs/a", function (error, a) {
            if (error) throw error;
            patch("a", 2, { etag: a._etag }, function (error) {
              if (error) throw error;
              patch("b", 3, {}, function (error) {
                if (error) throw error;
                c.readDocument(a._self, function (error, again) {
                  if (error) throw error;
                  getContext().getResponse().setBody([a.n, again.n]);
                });
              });
            });
          });
        }`,
      );
      for (const id of ["a", "b"]) await withItem(stored, id);
      expectEqual(expectStatus(await stored.execute(), 200).json, [1, 2], "what it read");
      expectEqual(await numbersOf(stored), [2, 3], "the stored items");
    },
  },
  {
    name: "a throw is 400 with the text in the message, and undoes everything",
    evidence: ["1.13 throw", "2.1 400", "5.2 sdk", "4 sprocs"],
    async run(target) {
      const stored = await procedure(
        target,
        `function () { ${PATCH} patch("a", 2, {}, function () { throw new Error("the reason of it"); }); }`,
      );
      await withItem(stored, "a");
      const reply = expectStatus(await stored.execute(), 400);
      expectMatch(messageOf(reply), /Encountered exception while executing Javascript/, "the message");
      expectMatch(messageOf(reply), /the reason of it/, "the message");
      expectEqual(await numbersOf(stored), [1], "the stored items");
    },
  },
  {
    name: "a failing call without callback fails the script and undoes it",
    evidence: ["1.13 uncaught", "4 sprocs"],
    async run(target) {
      const stored = await procedure(target, `function () { ${PATCH} patch("a", 2); patch("absent", 2); }`);
      await withItem(stored, "a");
      const { status } = await stored.execute();
      expect(status >= 400, `the status is ${status}`);
      expectEqual(await numbersOf(stored), [1], "the stored items");
    },
  },
  {
    name: "a callback gets the error of its call, with the status as its number",
    evidence: ["1.13 callback", "1.13 collection"],
    async run(target) {
      const stored = await procedure(
        target,
        `function () {
          ${PATCH}
          const numbers = [];
          const note = function (error) {
            numbers.push(error ? error.number : 0);
            if (numbers.length === 2) getContext().getResponse().setBody(numbers);
          };
          c.readDocument(c.getAltLink() + "/docs/absent", note);
          patch("a", 2, { etag: '"other"' }, note);
        }`,
      );
      await withItem(stored, "a");
      const numbers = expectStatus(await stored.execute(), 200).json as number[];
      expectEqual([...numbers].sort(), [404, 412], "the numbers");
    },
  },
  {
    name: "it queries its partition, with parameters and in pages, and no other partition",
    evidence: ["1.13 collection", "1.13 callback", "1.13 links"],
    async run(target) {
      const stored = await procedure(
        target,
        `function (least) {
          const c = getContext().getCollection();
          const query = { query: "SELECT VALUE c.n FROM c WHERE c.n >= @least", parameters: [{ name: "@least", value: least }] };
          const found = [];
          const next = function (continuation) {
            const accepted = c.queryDocuments(c.getSelfLink(), query, { pageSize: 2, continuation }, function (error, feed, options) {
              if (error) throw error;
              found.push.apply(found, feed);
              if (options.continuation) next(options.continuation);
              else getContext().getResponse().setBody(found);
            });
            if (!accepted) throw new Error("not accepted");
          };
          next();
        }`,
      );
      const { items, pk } = stored;
      for (const n of [1, 2, 3, 4, 5, 6]) expectStatus(await items.create([pk], { id: `i${n}`, pk, n }), 201);
      const other = unique("pk");
      expectStatus(await items.create([other], { id: "other", pk: other, n: 9 }), 201);
      const found = expectStatus(await stored.execute([2]), 200).json as number[];
      expectEqual([...found].sort(), [2, 3, 4, 5, 6], "what it found");
    },
  },
  {
    name: "the links of another container are refused",
    evidence: ["1.13 links"],
    async run(target) {
      const { link } = await target.temporary();
      const stored = await procedure(
        target,
        "function (link) { getContext().getCollection().queryDocuments(link, 'SELECT * FROM c'); }",
      );
      const { status } = await stored.execute([link]);
      expect(status >= 400 && status < 500, `the status is ${status}`);
    },
  },
]);
