import { beforeEach, describe, expect, it } from "vitest";
import { FakeCollection } from "./support/fake-collection.ts";
import { errorText, scriptRunner } from "./support/script-runner.ts";

const { run, failureOf } = scriptRunner();

let collection: FakeCollection;
beforeEach(() => {
  collection = new FakeCollection();
});

describe("a script's collection", () => {
  it("creates a document and hands its stored form to the callback", () => {
    const { body } = run(
      `function () {
        const accepted = __.createDocument(__.getSelfLink(), { id: "a", total: 3 }, (error, document) => {
          __.response.setBody({ accepted, error, total: document.total, etag: document._etag });
        });
      }`,
      { collection },
    );
    expect(body).toEqual({ accepted: true, total: 3, etag: '"1"' });
    expect(collection.documents).toMatchObject([{ id: "a", total: 3 }]);
  });

  it("takes a document as JSON text too", () => {
    run(`function () { __.createDocument(__.getSelfLink(), '{"id":"a","n":1}'); }`, { collection });
    expect(collection.documents).toMatchObject([{ id: "a", n: 1 }]);
  });

  it("gives a document without an id a GUID, and leaves the script's own object as it was", () => {
    const { body } = run(
      `function () {
        const order = { total: 3 };
        __.createDocument(__.getSelfLink(), order);
        __.upsertDocument(__.getSelfLink(), order, () => __.response.setBody(order));
      }`,
      { collection },
    );
    const ids = collection.documents.map(({ id }) => id);
    expect(ids).toEqual([
      expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      expect.any(String),
    ]);
    expect(new Set(ids).size).toBe(2);
    expect(body).toEqual({ total: 3 });
  });

  it("generates no id if told not to", () => {
    const options = "{ disableAutomaticIdGeneration: true }";
    const { body } = run(
      `function () {
        __.createDocument(__.getSelfLink(), { n: 1 }, ${options}, (error) => __.response.setBody(error.number));
      }`,
      { collection },
    );
    expect(body).toBe(400);
    expect(collection.documents).toEqual([]);
  });

  it("reads a document by its name and by its own link", () => {
    collection.create('{"id":"a","n":1}');
    const { body } = run(
      `function () {
        const found = [];
        __.readDocument(__.getAltLink() + "/docs/a", (error, document) => {
          found.push(document.n);
          __.readDocument(document._self, {}, (error, again) => {
            found.push(again.n);
            __.response.setBody(found);
          });
        });
      }`,
      { collection },
    );
    expect(body).toEqual([1, 1]);
  });

  it("reads nothing of a document whose ETag the script knows", () => {
    collection.create('{"id":"a"}');
    const { body } = run(
      `function () {
        __.readDocument(__.getAltLink() + "/docs/a", { ifNoneMatch: '"1"' }, (error, document, options) =>
          __.response.setBody([document === undefined, options.notModified]));
      }`,
      { collection },
    );
    expect(body).toEqual([true, true]);
  });

  it("replaces and deletes a document that has the expected ETag", () => {
    collection.create('{"id":"a","n":1}');
    collection.create('{"id":"b"}');
    run(
      `function () {
        const link = __.getAltLink() + "/docs/";
        __.replaceDocument(link + "a", { id: "a", n: 2 }, { etag: '"1"' });
        __.deleteDocument(link + "b", { etag: '"2"' });
      }`,
      { collection },
    );
    expect(collection.documents).toMatchObject([{ id: "a", n: 2 }]);
  });

  it.each([
    ["replaceDocument", `__.replaceDocument(link, { id: "a" }, { etag: '"old"' }, done)`],
    ["deleteDocument", `__.deleteDocument(link, { etag: '"old"' }, done)`],
    [
      "patchDocument",
      `__.patchDocument(link, [{ op: "set", path: "/n", value: 2 }], { etag: '"old"' }, done)`,
    ],
    ["upsertDocument", `__.upsertDocument(__.getSelfLink(), { id: "a" }, { etag: '"old"' }, done)`],
  ])("refuses %s with an ETag that is out of date", (_, call) => {
    collection.create('{"id":"a","n":1}');
    const { body } = run(
      `function () {
        const link = __.getAltLink() + "/docs/a";
        const done = (error) => __.response.setBody(error && error.number);
        ${call};
      }`,
      { collection },
    );
    expect(body).toBe(412);
    expect(collection.documents).toMatchObject([{ id: "a", n: 1 }]);
  });

  it("patches a document", () => {
    collection.create('{"id":"a","n":1}');
    run(
      `function () { __.patchDocument(__.getAltLink() + "/docs/a", [{ op: "set", path: "/n", value: 5 }]); }`,
      { collection },
    );
    expect(collection.documents).toMatchObject([{ id: "a", n: 5 }]);
  });

  it("lets a script page through a query", () => {
    for (let n = 0; n < 7; n++) collection.create(JSON.stringify({ id: `d${n}`, kind: n < 5 ? "a" : "b" }));
    const { body } = run(
      `function (kind) {
        const query = { query: "SELECT * FROM c WHERE c.kind = @kind", parameters: [{ name: "@kind", value: kind }] };
        const pages = [];
        const next = (continuation) =>
          __.queryDocuments(__.getSelfLink(), query, { pageSize: 2, continuation }, (error, rows, options) => {
            pages.push(rows.map(({ id }) => id));
            if (options.continuation) next(options.continuation);
            else __.response.setBody(pages);
          });
        next();
      }`,
      { collection, args: ["a"] },
    );
    expect(body).toEqual([["d0", "d1"], ["d2", "d3"], ["d4"]]);
  });

  it("reads the feed of documents in pages of 100", () => {
    for (let n = 0; n < 101; n++) collection.create(JSON.stringify({ id: `d${n}` }));
    const { body } = run(
      `function () {
        __.readDocuments(__.getAltLink(), (error, rows, options) =>
          __.response.setBody([rows.length, options.continuation]));
      }`,
      { collection },
    );
    expect(body).toEqual([100, "100"]);
  });

  it("is the same through getContext()", () => {
    const { body } = run(
      `function () {
        const own = getContext().getCollection();
        own.createDocument(own.getSelfLink(), { id: "a" });
        getContext().getResponse().setBody([own.getSelfLink(), own.getAltLink(), getContext().getRequest().getBody()]);
      }`,
      { collection, args: [1, "x"] },
    );
    expect(body).toEqual([collection.selfLink, collection.altLink, '[1,"x"]']);
    expect(collection.documents).toMatchObject([{ id: "a" }]);
  });
});

describe("calls of the collection", () => {
  it("run after the script's own code, in the order in which they were accepted", () => {
    const { body } = run(
      `function () {
        const order = [];
        const note = (name) => () => { order.push(name); __.response.setBody(order); };
        __.createDocument(__.getSelfLink(), { id: "a" }, () => {
          order.push("a");
          __.createDocument(__.getSelfLink(), { id: "c" }, note("c"));
        });
        __.createDocument(__.getSelfLink(), { id: "b" }, note("b"));
        order.push("script");
      }`,
      { collection },
    );
    expect(body).toEqual(["script", "a", "b", "c"]);
    expect(collection.documents.map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });

  it("take their arguments as these are at the time of the call", () => {
    run(
      `function () {
        const document = { id: "a", n: 1 };
        __.createDocument(__.getSelfLink(), document);
        document.n = 2;
      }`,
      { collection },
    );
    expect(collection.documents).toMatchObject([{ n: 1 }]);
  });

  it("give a failure to the callback as number and body", () => {
    const { body } = run(
      `function () {
        __.readDocument(__.getAltLink() + "/docs/none", (error) =>
          __.response.setBody({ number: error.number, body: JSON.parse(error.body), isError: error instanceof Error }));
      }`,
    );
    expect(body).toEqual({ number: 404, body: { Errors: ["Resource Not Found."] }, isError: true });
  });

  it("fail the script if they fail without a callback, and all of it is undone", () => {
    const error = failureOf(
      `function () {
        __.createDocument(__.getSelfLink(), { id: "a" });
        __.createDocument(__.getSelfLink(), { id: "a" });
      }`,
      { collection },
    );
    expect(error).toMatchObject({ status: 400, substatus: 409 });
    expect(errorText(error)).toContain("already exists");
    expect(collection.documents).toEqual([]);
  });

  it("let a script go on after a failure that its callback has seen", () => {
    run(
      `function () {
        __.createDocument(__.getSelfLink(), { id: "a" });
        __.createDocument(__.getSelfLink(), { id: "a" }, () => __.createDocument(__.getSelfLink(), { id: "b" }));
      }`,
      { collection },
    );
    expect(collection.documents.map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("are no longer accepted when the time is nearly used, and what was accepted still runs", () => {
    let nowMs = 0;
    collection.beforeCall = () => {
      nowMs += 10;
    };
    const { body } = run(
      `function () {
        let created = 0;
        const next = () => {
          const accepted = __.createDocument(__.getSelfLink(), { n: created }, () => { created++; next(); });
          if (!accepted) __.response.setBody(created);
        };
        next();
      }`,
      { collection, limits: { timeMs: 100, now: () => nowMs } },
    );
    expect(body).toBe(8);
    expect(collection.documents).toHaveLength(8);
  });
});

describe("arguments of the collection's methods", () => {
  it.each([
    ["a document of another container", `__.readDocument("dbs/shop/colls/others/docs/a")`],
    ["a document by a link that only begins alike", `__.readDocument("dbs/shop/colls/orders2/docs/a")`],
    ["a document without its id", `__.readDocument(__.getAltLink() + "/docs/")`],
    ["another container", `__.createDocument("dbs/shop/colls/others", {})`],
    ["a link that is no text", `__.queryDocuments({}, "SELECT * FROM c")`],
    ["a document that is none", `__.createDocument(__.getSelfLink(), 7)`],
    ["options that are none", `__.readDocuments(__.getSelfLink(), "all", () => 0)`],
    ["a callback that is none", `__.readDocuments(__.getSelfLink(), {}, "then")`],
  ])("refuse %s at once", (_, call) => {
    const error = failureOf(`function () { ${call}; }`, { collection });
    expect(error).toMatchObject({ status: 400, substatus: 400 });
    expect(collection.calls).toEqual([]);
  });

  it.each([
    ["a page size of zero", "{ pageSize: 0 }"],
    ["a page size that is no number", `{ pageSize: "all" }`],
    ["a continuation that is no text", "{ continuation: 5 }"],
  ])("refuse %s", (_, options) => {
    const { body } = run(
      `function () { __.readDocuments(__.getSelfLink(), ${options}, (error) => __.response.setBody(error.number)); }`,
    );
    expect(body).toBe(400);
  });

  it("may have a slash at the end of links", () => {
    collection.create('{"id":"a"}');
    const { body } = run(
      `function () {
        __.readDocuments(__.getAltLink() + "/", (error, rows) =>
          __.readDocument(__.getAltLink() + "/docs/a/", (error, document) =>
            __.response.setBody([rows.length, document.id])));
      }`,
      { collection },
    );
    expect(body).toEqual([1, "a"]);
  });
});
