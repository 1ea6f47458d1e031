import { describe, expect, it } from "vitest";
import { CosmosError } from "../../src/protocol/cosmos-error.ts";
import { FakeCollection } from "./support/fake-collection.ts";
import { errorText, scriptRunner } from "./support/script-runner.ts";

const { run, failureOf } = scriptRunner();

describe("an exception that leaves a script", () => {
  it("is a 400 with the text that clients parse, and undoes what the script wrote", () => {
    const collection = new FakeCollection();
    const error = failureOf(
      `function outOfStock() {
        __.createDocument(__.getSelfLink(), { id: "a" }, () => { throw new Error("out of stock"); });
      }`,
      { collection },
    );
    expect(error).toMatchObject({ status: 400, substatus: undefined, code: "BadRequest" });
    expect(errorText(error)).toMatch(
      /^Encountered exception while executing Javascript\. Exception = Error: out of stock\r\nStack trace: Error: out of stock\n/,
    );
    expect(collection.calls).toEqual(["create"]);
    expect(collection.documents).toEqual([]);
  });

  it("has the script's own lines in its stack trace, by the name of the procedure, and no others", () => {
    const error = failureOf(
      "function outer() {\n  const inner = () => { throw new Error('x'); };\n  inner();\n}",
    );
    const [, , ...frames] = errorText(error).split("\n");
    expect(frames).toEqual([
      expect.stringMatching(/^ {4}at inner \(proc\.js:2:\d+\)$/),
      expect.stringMatching(/^ {4}at outer \(proc\.js:3:\d+\)$/),
    ]);
  });

  it.each([
    ["new Error(number, message)", `throw new Error(409, "taken")`, 409, "Error: taken"],
    ["Error(number, message)", `throw Error(409, "taken")`, 409, "Error: taken"],
    ["an error's number", `const e = new TypeError("t"); e.number = 1234; throw e`, 1234, "TypeError: t"],
    ["a class of its own", `class E extends Error {} throw new E(5, "own")`, 5, "Error: own"],
  ])("carries the number that the script chose: %s", (_, statement, substatus, text) => {
    const error = failureOf(`function () { ${statement}; }`);
    expect(error).toMatchObject({ status: 400, substatus });
    expect(errorText(error)).toContain(`Exception = ${text}`);
  });

  it("carries no number that is none", () => {
    const source = `function () { const e = new Error("x"); e.number = "409"; throw e; }`;
    expect(failureOf(source)).toMatchObject({ substatus: undefined });
  });

  it("is the error of a call if a callback throws that on", () => {
    const source = `function () {
      __.readDocument(__.getAltLink() + "/docs/none", (error) => { if (error) throw error; });
    }`;
    const error = failureOf(source);
    expect(error).toMatchObject({ status: 400, substatus: 404 });
    expect(errorText(error)).toContain(`Exception = Error: {"Errors":["Resource Not Found."]}`);
  });

  it.each([
    ["text", `"{\\"code\\":700}"`, '{"code":700}'],
    ["an object", "{ code: 700 }", '{"code":700}'],
    ["undefined", "undefined", "undefined"],
    ["null", "null", "null"],
    ["a symbol", `Symbol("s")`, "Symbol(s)"],
    ["a big integer", "10n", "10"],
    [
      "an object that cannot be written",
      "(() => { const a = {}; a.a = a; return a; })()",
      "an exception that cannot",
    ],
    ["a getter that throws", "({ get a() { throw 1; } })", "an exception that cannot be shown"],
    [
      "a revoked proxy",
      "(() => { const p = Proxy.revocable({}, {}); p.revoke(); return p.proxy; })()",
      "an exception",
    ],
    [
      "an error whose text throws",
      `Object.assign(new Error(), { toString() { throw 1; } })`,
      "an exception that cannot",
    ],
    [
      "an error whose stack is no text",
      `Object.assign(new Error("x"), { stack: {}, number: {} })`,
      "Error: x",
    ],
    ["a very long text", `"x".repeat(1e6)`, "xxxxxxxx"],
  ])("may be %s", (_, expression, text) => {
    const error = failureOf(`function () { throw ${expression}; }`);
    expect(error.status).toBe(400);
    expect(errorText(error)).toContain(`Exception = ${text}`);
    expect(error.message.length).toBeLessThan(200_000);
  });
});

describe("a script that is not one function", () => {
  it.each([
    ["no JavaScript", "function ("],
    ["empty", ""],
    ["a value", "42"],
    ["an object", "({})"],
    ["two statements", "var a = 1; function f() {}"],
    ["code that throws", "(() => { throw new Error('x'); })()"],
    ["cut off by a NUL", "function () {})\0garbage"],
  ])("is refused: %s", (_, source) => {
    const error = failureOf(source);
    expect(error).toMatchObject({ status: 400, code: "BadRequest" });
    expect(errorText(error)).toContain("The body of the stored procedure 'proc' is not one function: ");
  });

  it.each([
    ["a declaration", "function f() { __.response.setBody(1); }"],
    ["without a name", "function () { __.response.setBody(1); }"],
    ["an arrow", "() => __.response.setBody(1)"],
    ["async", "async () => __.response.setBody(1)"],
    ["with a semicolon", "function f() { __.response.setBody(1); } ;\n"],
    ["among comments", "// first\nfunction f() { __.response.setBody(1); } // last"],
  ])("is not: %s", (_, source) => {
    expect(run(source).body).toBe(1);
  });
});

describe("promises in a script", () => {
  it("settle before the next callback", () => {
    const source = `function () {
      const order = [];
      const later = (name) => Promise.resolve().then(() => order.push(name));
      later("before");
      __.readDocuments(__.getSelfLink(), () => { order.push("first"); later("between"); });
      __.readDocuments(__.getSelfLink(), () => { order.push("second"); __.response.setBody(order); });
    }`;
    expect(run(source).body).toEqual(["before", "first", "between", "second"]);
  });

  it("let an async function wait for calls of the collection", () => {
    const collection = new FakeCollection();
    collection.create('{"id":"a","n":7}');
    const source = `async function (id) {
      const read = (link) => new Promise((resolve, reject) =>
        __.readDocument(link, (error, document) => (error ? reject(error) : resolve(document))));
      const { n } = await read(__.getAltLink() + "/docs/" + id);
      const missing = await read(__.getAltLink() + "/docs/none").catch((error) => error.number);
      __.response.setBody([n, missing]);
    }`;
    expect(run(source, { collection, args: ["a"] }).body).toEqual([7, 404]);
  });

  it("that are rejected without a handler change nothing, as on the service", () => {
    const collection = new FakeCollection();
    const source = `async function () {
      __.createDocument(__.getSelfLink(), { id: "a" });
      throw new Error("lost");
    }`;
    expect(run(source, { collection }).body).toBe("");
    expect(collection.documents).toHaveLength(1);
  });

  it("can undo the script by abort", () => {
    const collection = new FakeCollection();
    const source = `async function () {
      __.createDocument(__.getSelfLink(), { id: "a" });
      __.readDocuments(__.getSelfLink(), () =>
        Promise.reject(new Error(7, "no")).catch((error) => getContext().abort(error)));
    }`;
    const error = failureOf(source, { collection });
    expect(error).toMatchObject({ status: 400, substatus: 7 });
    expect(collection.calls).toEqual(["create", "readFeed"]);
    expect(collection.documents).toEqual([]);
  });

  it("cannot catch an abort away, and no call is made after it", () => {
    const collection = new FakeCollection();
    const source = `function () {
      __.createDocument(__.getSelfLink(), { id: "a" });
      try { getContext().abort(new Error(8, "no")); } catch {}
    }`;
    expect(failureOf(source, { collection })).toMatchObject({ status: 400, substatus: 8 });
    expect(collection.calls).toEqual([]);
  });
});

describe("an error of the collection that is none of the service's", () => {
  it("ends the script, whatever that would do about it, and leaves as it is", () => {
    const collection = new FakeCollection();
    const bug = new TypeError("a bug in the endpoint");
    collection.beforeCall = () => {
      throw bug;
    };
    const source = "function () { __.readDocuments(__.getSelfLink(), () => {}); }";
    expect(() => run(source, { collection })).toThrow(bug);
    expect(run("() => __.response.setBody(1)").body).toBe(1);
  });

  it("shows a script of the service's errors nothing but number and text", () => {
    const collection = new FakeCollection();
    collection.beforeCall = () => {
      throw CosmosError.conflict("taken", { cause: new Error("secret") });
    };
    const source = `function () {
      __.readDocuments(__.getSelfLink(), (error) => {
        const own = Object.getOwnPropertyNames(error).map((name) => [name, String(error[name])]);
        __.response.setBody({ own, proto: Object.getPrototypeOf(error) === Error.prototype });
      });
    }`;
    const { body } = run(source, { collection });
    const { own, proto } = body as { own: [string, string][]; proto: boolean };
    expect(proto).toBe(true);
    expect(own.map(([name]) => name).sort()).toEqual(["body", "message", "number", "stack"]);
    const shown = JSON.stringify(own);
    expect(shown).toContain("taken");
    expect(shown).not.toMatch(/secret|file:|node:|\.ts|packages/);
  });
});
