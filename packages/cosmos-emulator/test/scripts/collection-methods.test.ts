import { beforeEach, describe, expect, it } from "vitest";
import { FakeCollection } from "./support/fake-collection.ts";
import { errorText, procedure, scriptRunner } from "./support/script-runner.ts";

const { run, failureOf } = scriptRunner();

let collection: FakeCollection;
beforeEach(() => {
  collection = new FakeCollection();
});

const answerOf = (statements: string, args: readonly string[] = []): unknown =>
  run(procedure(statements), { collection, args });

describe("a script's collection", () => {
  it("reads a document by its name and by its own link", () => {
    collection.add("a", { n: 1 });
    const body = answerOf(`
      const found = [];
      c.readDocument(c.getAltLink() + "/docs/a", (error, document) => {
        found.push(document.n);
        c.readDocument(document._self, {}, (error, again) => {
          found.push(again.n);
          answer(found);
        });
      });`);
    expect(body).toEqual([1, 1]);
  });

  it("patches a document and hands its stored form to the callback", () => {
    collection.add("a", { n: 1 });
    const body = answerOf(`
      const accepted = patch("a", (error, { n, _etag }) => answer({ accepted, error, n, _etag }));`);
    expect(body).toEqual({ accepted: true, n: 2, _etag: '"2"' });
    expect(collection.documents).toMatchObject([{ id: "a", n: 2 }]);
  });

  it("patches a document only with its ETag, where one is given", () => {
    collection.add("a", { n: 1 });
    const body = answerOf(`patch("a", { etag: '"old"' }, (error) => answer(error.number));`);
    expect(body).toBe(412);
    expect(collection.documents).toMatchObject([{ n: 1 }]);
    answerOf(`patch("a", { etag: '"1"' });`);
    expect(collection.documents).toMatchObject([{ n: 2 }]);
  });

  it("lets a script page through a query", () => {
    for (let n = 0; n < 7; n++) collection.add(`d${n}`, { kind: n < 5 ? "a" : "b" });
    const body = answerOf(
      `const filter = { query: "SELECT * FROM c WHERE c.kind = @kind", parameters: [{ name: "@kind", value: args[0] }] };
      const pages = [];
      const next = (continuation) =>
        c.queryDocuments(c.getSelfLink(), filter, { pageSize: 2, continuation }, (error, rows, options) => {
          pages.push(rows.map(({ id }) => id));
          if (options.continuation) next(options.continuation);
          else answer(pages);
        });
      next();`,
      ["a"],
    );
    expect(body).toEqual([["d0", "d1"], ["d2", "d3"], ["d4"]]);
  });

  it("answers a query in pages of 100 by default", () => {
    for (let n = 0; n < 101; n++) collection.add(`d${n}`);
    const body = answerOf(
      "query((error, rows, { continuation }) => query({ continuation }, (error, more) => answer([rows.length, more.length])));",
    );
    expect(body).toEqual([100, 1]);
  });

  it.each([
    ["c.createDocument(c.getSelfLink(), {})", "createDocument"],
    ["c.deleteDocument(c.getSelfLink())", "deleteDocument"],
    ["c.readDocuments(c.getSelfLink())", "readDocuments"],
    ["getContext().getRequest()", "getRequest"],
    ["getContext().getResponse().appendBody(1)", "appendBody"],
  ])("names the method that this endpoint does not have: %s", (statement, name) => {
    const error = failureOf(procedure(statement), { collection });
    expect(error).toMatchObject({ status: 400, substatus: 501 });
    expect(errorText(error)).toContain(`${name}() is not implemented by this endpoint.`);
  });
});

describe("calls of the collection", () => {
  it("run after the script's own code, in the order in which they were accepted", () => {
    collection.add("a");
    const body = answerOf(`
      const order = [];
      const note = (name) => () => { order.push(name); answer(order); };
      patch("a", () => { order.push("a"); patch("a", note("c")); });
      patch("a", note("b"));
      order.push("script");`);
    expect(body).toEqual(["script", "a", "b", "c"]);
  });

  it("take their arguments as these are at the time of the call", () => {
    collection.add("a");
    answerOf(`
      const operation = { op: "set", path: "/n", value: 1 };
      c.patchDocument(c.getAltLink() + "/docs/a", [operation]);
      operation.value = 2;`);
    expect(collection.documents).toMatchObject([{ n: 1 }]);
  });

  it("give a failure to the callback as number and body", () => {
    const body = answerOf(`
      patch("none", (error) =>
        answer({ number: error.number, body: JSON.parse(error.body), isError: error instanceof Error }));`);
    expect(body).toEqual({ number: 404, body: { Errors: ["Resource Not Found."] }, isError: true });
  });

  it("fail the script if they fail without a callback, and all of it is undone", () => {
    collection.add("a", { n: 1 });
    const error = failureOf(procedure('patch("a"); patch("none");'), { collection });
    expect(error).toMatchObject({ status: 400, substatus: 404 });
    expect(errorText(error)).toContain("Not Found");
    expect(collection.documents).toMatchObject([{ n: 1 }]);
  });

  it("let a script go on after a failure that its callback has seen", () => {
    collection.add("a", { n: 1 });
    answerOf('patch("none", () => patch("a"));');
    expect(collection.documents).toMatchObject([{ n: 2 }]);
  });

  it("are no longer accepted when the time is nearly used, and what was accepted still runs", () => {
    collection.add("a");
    let nowMs = 0;
    collection.beforeCall = () => {
      nowMs += 10;
    };
    const source = procedure(`
      let done = 0;
      const next = () => {
        if (!patch("a", () => { done++; next(); })) answer(done);
      };
      next();`);
    expect(run(source, { collection, limits: { timeMs: 100, now: () => nowMs } })).toBe(8);
    expect(collection.calls).toHaveLength(8);
  });
});

describe("arguments of the collection's methods", () => {
  it.each([
    ["a document of another container", `c.readDocument("dbs/shop/colls/others/docs/a")`],
    ["a document by a link that only begins alike", `c.readDocument("dbs/shop/colls/orders2/docs/a")`],
    ["a document without its id", `c.readDocument(c.getAltLink() + "/docs/")`],
    ["another container", `c.queryDocuments("dbs/shop/colls/others", "SELECT * FROM c")`],
    ["a link that is no text", `c.queryDocuments({}, "SELECT * FROM c")`],
    ["options that are none", `query("all", () => 0)`],
    ["a callback that is none", `query({}, "then")`],
  ])("refuse %s at once", (_, call) => {
    const error = failureOf(procedure(call), { collection });
    expect(error).toMatchObject({ status: 400, substatus: 400 });
    expect(collection.calls).toEqual([]);
  });

  it.each([
    ["a page size of zero", "{ pageSize: 0 }"],
    ["a page size that is no number", `{ pageSize: "all" }`],
    ["a continuation that is no text", "{ continuation: 5 }"],
  ])("refuse %s", (_, options) => {
    expect(answerOf(`query(${options}, (error) => answer(error.number));`)).toBe(400);
  });

  it("may have a slash at the end of links", () => {
    collection.add("a");
    const body = answerOf(`
      c.queryDocuments(c.getAltLink() + "/", "SELECT * FROM c", (error, rows) =>
        c.readDocument(c.getAltLink() + "/docs/a/", (error, document) => answer([rows.length, document.id])));`);
    expect(body).toEqual([1, "a"]);
  });
});

describe("a script's response", () => {
  it.each([
    ["an object", '{ a: [1, null, "x"] }', { a: [1, null, "x"] }],
    ["a bare number", "1", 1],
    ["a text", '"hello"', "hello"],
    ["a NUL, a lone surrogate and a line separator", '"\\0|\\ud800|\\u2028"', "\0|\ud800|\u2028"],
    ["nothing", "undefined", null],
  ])("is the JSON of %s", (_, expression, expected) => {
    expect(answerOf(`answer(${expression});`)).toEqual(expected);
  });

  it("is an empty text if the script sets nothing", () => {
    expect(run("function () {}")).toBe("");
  });

  it("gets the arguments as values", () => {
    const args = [{ a: [true, null] }, "é\u2028\0", 1.5];
    expect(run(procedure("answer(args);"), { args })).toEqual(args);
  });

  it("fails with 413 beyond its limit", () => {
    const source = procedure(`const a = []; answer(a); a.push("x".repeat(101));`);
    expect(failureOf(source, { limits: { maxResponseLength: 100 } })).toMatchObject({
      status: 413,
      code: "RequestEntityTooLarge",
    });
  });
});
