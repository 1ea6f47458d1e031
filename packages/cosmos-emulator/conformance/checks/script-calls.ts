/** What a script can do with its container: calls, callbacks, and their transaction. */
import { inGroup } from "../check.ts";
import { textOf } from "../client/reply.ts";
import { expect, expectEqual, expectMatch, expectStatus } from "../expect.ts";
import { idsOf, messageOf, procedure } from "../given/stored-procedure.ts";
import { unique } from "../target.ts";

export const SCRIPT_CALLS = inGroup("stored procedures", [
  {
    name: "what it writes is committed together",
    evidence: ["1.13 collection", "1.13 callback", "4 sprocs", "1.13 snapshot"],
    async run(target) {
      const stored = await procedure(
        target,
        `function (pk) {
          const c = getContext().getCollection();
          const self = c.getSelfLink();
          c.createDocument(self, { id: "a", pk, n: 1 }, function (error, a) {
            if (error) throw error;
            c.replaceDocument(a._self, { id: "a", pk, n: 2 }, { etag: a._etag }, function (error, replaced) {
              if (error) throw error;
              c.upsertDocument(self, { id: "b", pk }, function (error) {
                if (error) throw error;
                c.readDocument(c.getAltLink() + "/docs/b", function (error, b) {
                  if (error) throw error;
                  c.createDocument(self, { id: "gone", pk }, function (error, gone) {
                    if (error) throw error;
                    c.deleteDocument(gone._self, function (error) {
                      if (error) throw error;
                      getContext().getResponse().setBody([replaced.n, b.id]);
                    });
                  });
                });
              });
            });
          });
        }`,
      );
      expectEqual(expectStatus(await stored.execute([stored.pk]), 200).json, [2, "b"], "what it read");
      expectEqual(await idsOf(stored), ["a", "b"], "the stored items");
    },
  },
  {
    name: "a throw is 400 with the text in the message, and undoes everything",
    evidence: ["1.13 throw", "2.1 400", "5.2 sdk", "4 sprocs"],
    async run(target) {
      const stored = await procedure(
        target,
        `function (pk) {
          const c = getContext().getCollection();
          c.createDocument(c.getSelfLink(), { id: "a", pk }, function (error) { throw new Error("the reason of it"); });
        }`,
      );
      const reply = expectStatus(await stored.execute([stored.pk]), 400);
      expectMatch(messageOf(reply), /Encountered exception while executing Javascript/, "the message");
      expectMatch(messageOf(reply), /the reason of it/, "the message");
      expectEqual(await idsOf(stored), [], "the stored items");
    },
  },
  {
    name: "a failing call without callback fails the script and undoes it",
    evidence: ["1.13 uncaught", "4 sprocs"],
    async run(target) {
      const stored = await procedure(
        target,
        `function (pk) {
          const c = getContext().getCollection();
          c.createDocument(c.getSelfLink(), { id: "new", pk });
          c.createDocument(c.getSelfLink(), { id: "taken", pk });
        }`,
      );
      expectStatus(await stored.items.create([stored.pk], { id: "taken", pk: stored.pk }), 201);
      const { status } = await stored.execute([stored.pk]);
      expect(status >= 400, `the status is ${status}`);
      expectEqual(await idsOf(stored), ["taken"], "the stored items");
    },
  },
  {
    name: "a callback gets the error of its call, with the status as its number",
    evidence: ["1.13 callback", "1.13 collection"],
    async run(target) {
      const stored = await procedure(
        target,
        `function (pk) {
          const c = getContext().getCollection();
          const numbers = [];
          const note = function (error) {
            numbers.push(error ? error.number : 0);
            if (numbers.length === 3) getContext().getResponse().setBody(numbers);
          };
          c.createDocument(c.getSelfLink(), { id: "taken", pk }, note);
          c.readDocument(c.getAltLink() + "/docs/absent", note);
          c.replaceDocument(c.getAltLink() + "/docs/taken", { id: "taken", pk }, { etag: '"other"' }, note);
        }`,
      );
      expectStatus(await stored.items.create([stored.pk], { id: "taken", pk: stored.pk }), 201);
      const numbers = expectStatus(await stored.execute([stored.pk]), 200).json as number[];
      expectEqual([...numbers].sort(), [404, 409, 412], "the numbers");
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
    name: "an item of another partition cannot be created",
    evidence: ["1.13 links", "4 sprocs"],
    async run(target) {
      const stored = await procedure(
        target,
        'function () { const c = getContext().getCollection(); c.createDocument(c.getSelfLink(), { id: "a", pk: "another" }); }',
      );
      const { status } = await stored.execute();
      expect(status >= 400 && status < 500, `the status is ${status}`);
    },
  },
  {
    name: "the links of another container are refused",
    evidence: ["1.13 links"],
    async run(target) {
      const { link } = await target.temporary();
      const stored = await procedure(
        target,
        "function (link, pk) { getContext().getCollection().createDocument(link, { id: 'a', pk }); }",
      );
      const { status } = await stored.execute([link, stored.pk]);
      expect(status >= 400 && status < 500, `the status is ${status}`);
    },
  },
  {
    name: "a document without id gets one, unless that was switched off",
    evidence: ["1.13 callback"],
    async run(target) {
      const stored = await procedure(
        target,
        `function (pk, options) {
          const c = getContext().getCollection();
          c.createDocument(c.getSelfLink(), { pk }, options, function (error, made) {
            getContext().getResponse().setBody(error ? error.number : made.id);
          });
        }`,
      );
      const id = expectStatus(await stored.execute([stored.pk, {}]), 200).json;
      expectMatch(textOf(id), /^[0-9a-f-]{36}$/, "the id");
      expectEqual(
        expectStatus(await stored.execute([stored.pk, { disableAutomaticIdGeneration: true }]), 200).json,
        400,
        "the number",
      );
    },
  },
  {
    name: "__ filters, maps and sets the response",
    evidence: ["1.13 api"],
    async run(target) {
      const stored = await procedure(
        target,
        `function () {
          const result = __.chain().filter(function (it) { return it.n > 1; }).map(function (it) { return it.n * 10; }).value({}, function (error, feed) {
            if (error) throw error;
            __.response.setBody(feed);
          });
          if (!result.isAccepted) throw new Error("not accepted");
        }`,
      );
      for (const n of [1, 2, 3]) await stored.items.create([stored.pk], { id: `i${n}`, pk: stored.pk, n });
      const found = expectStatus(await stored.execute(), 200).json as number[];
      expectEqual([...found].sort(), [20, 30], "what it found");
    },
  },
]);
