/** Probe 15: stored procedures, as document leases use them. */
import { keyHeader } from "../../../cosmos-emulator/conformance/client/items.ts";
import type { RawClient } from "../../../cosmos-emulator/conformance/client/raw-client.ts";
import type { Reply } from "../../../cosmos-emulator/conformance/client/reply.ts";
import { expect, expectEqual, expectStatus } from "../../../cosmos-emulator/conformance/expect.ts";
import type { Stage } from "../stage.ts";
import { step } from "../step.ts";

/** The operations as an object and as a list; with the etag that the document has, and with another one. */
const PATCHES = `function (id) {
  var collection = getContext().getCollection();
  var told = {};
  collection.readDocument(collection.getAltLink() + "/docs/" + id, function (error, document) {
    if (error) throw error;
    var set = function (value) { return { op: "set", path: "/n", value: value }; };
    var other = { etag: '"00000000-0000-0000-0000-000000000000"' };
    collection.patchDocument(document._self, { operations: [set(1)] }, other, function (error) {
      told.wrongEtag = error ? error.number : 0;
      collection.patchDocument(document._self, { operations: [set(2)] }, { etag: document._etag }, function (error, written) {
        told.object = error ? error.number : 0;
        told.callbackGets = written === undefined ? "nothing" : typeof written;
        collection.patchDocument(document._self, [set(3)], {}, function (error) {
          told.list = error ? error.number : 0;
          getContext().getResponse().setBody(told);
        });
      });
    });
  });
}`;

const CLOCK = `function () {
  var collection = getContext().getCollection();
  var query = { query: "SELECT VALUE GetCurrentTimestampStatic() FROM c" };
  collection.queryDocuments(collection.getSelfLink(), query, {}, function (error, rows) {
    if (error) throw error;
    getContext().getResponse().setBody(rows[0]);
  });
}`;

const ENDLESS = "function () { while (true) {} }";

export const PROCEDURES = step({
  id: "2.15",
  phase: 2,
  title: "Stored procedures",
  gates: {},
  estimateRu: ({ slowScript }) => (slowScript ? 2_000 : 150),
  async run(stage, notes) {
    if (stage.place.key === undefined)
      return notes.skipAll("Microsoft Entra tokens cannot create procedures");
    const { pk } = await stage.partitionWith("procedures", { id: "a", n: 0 });
    await notes.expect("a procedure is created and executed", async () => {
      const told = expectStatus(await executed(stage, pk, "patches", PATCHES, ["a"]), 200).fields;
      notes.record("patches in a procedure", told);
      const { wrongEtag, object, list } = told;
      expectEqual([wrongEtag, object, list], [412, 0, 0], "a wrong etag, an object, a list");
    });
    await notes.expect("the static timestamp is a number of milliseconds there", async () => {
      const reply = expectStatus(await executed(stage, pk, "clock", CLOCK, []), 200);
      const apartMs = Math.abs(Number(reply.json) - Date.parse(reply.header("date") ?? ""));
      notes.record("static timestamp and Date header apart, ms", apartMs);
      expect(apartMs < 60_000, `it is ${reply.text}`);
    });
    if (stage.scale.slowScript) {
      const endless = await executed(stage, pk, "endless", ENDLESS, []);
      notes.record("a script without end", `${endless.status}/${endless.substatus}`);
      await notes.expect("a script without end is ended", () =>
        expect(endless.status >= 400, "it ended well"),
      );
    }
    if (stage.place.credential === undefined) return;
    using identity = closing(stage.rawClient(undefined, { as: "identity" }));
    await notes.expect("an identity executes a procedure that a key has created", async () =>
      expectStatus(await execute(identity.client, stage, pk, "patches", ["a"]), 200),
    );
    const link = `${stage.containerLink}/sprocs/patches`;
    const read = await identity.client.send({ method: "GET", link });
    notes.record("an identity that reads the procedure", `${read.status}/${read.substatus}`);
  },
});

async function executed(stage: Stage, pk: string, id: string, body: string, args: unknown): Promise<Reply> {
  const link = `${stage.containerLink}/sprocs`;
  expectStatus(await stage.raw.send({ method: "POST", link, body: { id, body } }), 201);
  return execute(stage.raw, stage, pk, id, args);
}

function execute(raw: RawClient, stage: Stage, pk: string, id: string, args: unknown): Promise<Reply> {
  return raw.send({
    method: "POST",
    link: `${stage.containerLink}/sprocs/${id}`,
    headers: { "x-ms-documentdb-partitionkey": keyHeader([pk]) },
    body: args,
  });
}

function closing(client: RawClient): { readonly client: RawClient } & Disposable {
  return { client, [Symbol.dispose]: () => client.close() };
}
