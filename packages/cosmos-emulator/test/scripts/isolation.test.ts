import { describe, expect, it } from "vitest";
import { FakeCollection } from "./support/fake-collection.ts";
import { scriptRunner } from "./support/script-runner.ts";

const { run, failureOf } = scriptRunner();

const bodyOf = (expression: string): unknown =>
  run(`function () { __.response.setBody(${expression}); }`).body;

describe("a script in its sandbox", () => {
  it.each([
    [
      "the constructor of its this",
      `(0, function () { return this; })().constructor.constructor("return typeof process")()`,
    ],
    ["the constructor of the context", `getContext.constructor("return typeof process")()`],
    ["the constructor of a method", `__.createDocument.constructor("return typeof process")()`],
    ["the constructor of the response", `__.response.setBody.constructor("return typeof require")()`],
    ["a Function of its own", `new Function("return typeof process")()`],
    ["eval", `(0, eval)("typeof process")`],
    ["a generator's constructor", `(function* () {}).constructor("yield typeof process")().next().value`],
  ])("sees nothing of the process through %s", (_, expression) => {
    expect(bodyOf(expression)).toBe("undefined");
  });

  it("has JavaScript and the server-side API as its globals, and nothing else", () => {
    const source = `function () {
      __.response.setBody(Object.getOwnPropertyNames(globalThis).filter((name) => !/^[A-Z]/.test(name)));
    }`;
    const globals = new Set(run(source).body as string[]);
    const known =
      "getContext __ console globalThis undefined eval parseInt parseFloat isNaN isFinite decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape queueMicrotask performance";
    expect([...globals].filter((name) => !known.split(" ").includes(name))).toEqual([]);
  });

  it.each([
    "process",
    "require",
    "module",
    "fetch",
    "setTimeout",
    "WebAssembly",
    "SharedArrayBuffer",
    "Atomics",
    "std",
    "os",
  ])("has no %s", (name) => {
    expect(bodyOf(`typeof ${name}`)).toBe("undefined");
  });

  it("cannot import a module", () => {
    const source = `async function () {
      const outcomes = [];
      for (const name of ["fs", "node:fs", "./sandbox.ts", "data:text/javascript,1"]) {
        outcomes.push(await import(name).then(() => "loaded", () => "refused"));
      }
      __.response.setBody(outcomes);
    }`;
    expect(run(source).body).toEqual(["refused", "refused", "refused", "refused"]);
  });

  it("finds no path and no name of the host in its errors", () => {
    const source = `function () {
      const stacks = [];
      try { null.x; } catch (error) { stacks.push(error.stack); }
      try { __.readDocument(7); } catch (error) { stacks.push(error.stack); }
      try { getContext().getCollection().readDocuments("x"); } catch (error) { stacks.push(error.stack); }
      __.response.setBody(stacks.join("\\n"));
    }`;
    expect(run(source).body).not.toMatch(/file:|node:|\.ts\b|packages|node_modules|wasm/);
  });

  it("cannot reach the function that leads outside", () => {
    const source = `function () {
      const seen = [];
      const spy = (owner, name) => {
        const plain = owner[name];
        owner[name] = function (...args) {
          for (const value of [this, ...args]) seen[seen.length] = value;
          return Reflect.apply(plain, this, args);
        };
      };
      spy(JSON, "parse"); spy(JSON, "stringify"); spy(String.prototype, "startsWith"); spy(String.prototype, "endsWith");
      for (const name of ["push", "map", "filter", "concat", "slice"]) spy(Array.prototype, name);
      spy(Object, "assign"); spy(Object, "create"); spy(Reflect, "construct");
      Function.prototype.call = Function.prototype.apply = function () { seen[seen.length] = this; };
      __.createDocument(__.getSelfLink(), { id: "a" }, function () {
        const isHost = (value) => typeof value === "function" && value.name === "host";
        let found = 0;
        for (const value of seen) if (isHost(value) || isHost(value?.call) || isHost(value?.accepting)) found++;
        __.response.setBody([found, seen.length > 0]);
      });
    }`;
    expect(run(source).body).toEqual([0, true]);
  });

  it("cannot name a document outside of its container by a link", () => {
    const collection = new FakeCollection();
    const links = [
      "dbs/shop/colls/orders/docs/../../others/docs/a",
      "dbs/shop/colls/orders/../others/docs/a",
      "/dbs/shop/colls/orders/docs/a",
      "dbs/shop/colls/orders//docs/a",
    ];
    const source = `function (links) {
      const numbers = [];
      for (const link of links) {
        try { __.readDocument(link, (error) => numbers.push(error.number)); } catch (error) { numbers.push(error.number); }
      }
      __.readDocuments(__.getSelfLink(), () => __.response.setBody(numbers.sort()));
    }`;
    expect(run(source, { collection, args: [links] }).body).toEqual([400, 400, 400, 404]);
  });
});

describe("a script that spoils its surroundings", () => {
  const SPOILERS: readonly [string, string][] = [
    ["JSON", "JSON.parse = JSON.stringify = () => { throw 1; };"],
    [
      "Object.prototype",
      "Object.prototype.failed = true; Object.prototype.id = 'x'; Object.prototype.etag = '1';",
    ],
    ["Array.prototype", "Array.prototype[0] = 'x'; Array.prototype.push = () => { throw 1; };"],
    [
      "setters on Object.prototype",
      "for (const n of ['next', 'work', 'number', 'document']) Object.defineProperty(Object.prototype, n, { set() { throw 1; }, get() { return 1; }, configurable: true });",
    ],
    ["Promise", "Promise.prototype.then = () => { throw 1; }; globalThis.Promise = null;"],
    ["iteration", "Array.prototype[Symbol.iterator] = function* () { yield 1; };"],
    ["functions", "Function.prototype.call = Function.prototype.apply = null;"],
    ["the error type", "globalThis.Error = null;"],
    ["__", "for (const name in __) __[name] = () => { throw 1; }; __ = null;"],
    ["the context", "getContext().getCollection = null; globalThis.getContext = null;"],
    [
      "the globals",
      "for (const name of Object.getOwnPropertyNames(globalThis)) try { delete globalThis[name]; } catch {}",
    ],
    ["the response", "getContext().getResponse().setBody({ toJSON() { throw 1; } });"],
    ["with exotic values", "getContext().getResponse().setBody(new Proxy({}, { ownKeys() { throw 1; } }));"],
  ];

  it.each(SPOILERS)("harms itself at most: %s", (_, statement) => {
    const source = `function () {
      const link = __.getSelfLink(), collection = __;
      const create = __.createDocument;
      ${statement}
      create.call ? create(link, { id: "a" }, () => {}) : 0;
    }`;
    const attempt = (): unknown => run(source);
    try {
      attempt();
    } catch (error) {
      expect(error).toMatchObject({ status: 400 });
    }
    const after = `function (a) {
      __.createDocument(__.getSelfLink(), { id: "b" }, (error, document) =>
        __.response.setBody([a, document.id, {}.failed, [][0], typeof Promise, new Error(1, "x").number]));
    }`;
    expect(run(after, { args: [1] }).body).toEqual([1, "b", null, null, "function", 1]);
  });

  it("still has an API that works after it replaced JSON and Object.prototype", () => {
    const source = `function () {
      JSON.parse = JSON.stringify = () => { throw new Error("spoiled"); };
      Object.prototype.toJSON = undefined;
      __.createDocument(__.getSelfLink(), { id: "a" }, (error, document) => __.response.setBody(document.id));
    }`;
    expect(run(source).body).toBe("a");
  });

  it("leaves nothing for the next script", () => {
    run("function () { globalThis.leftover = 1; Object.prototype.leftover = 2; __.leftover = 3; }");
    expect(bodyOf("[typeof leftover, typeof {}.leftover, typeof __.leftover]")).toEqual(
      Array(3).fill("undefined"),
    );
  });

  it("cannot pollute the host through documents and arguments", () => {
    const collection = new FakeCollection();
    const args = [JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')];
    const source = `function (a) {
      __.createDocument(__.getSelfLink(), { id: "a", ["__proto__"]: { polluted: 1 } });
      __.createDocument(__.getSelfLink(), '{"id":"b","__proto__":{"polluted":1}}');
      __.queryDocuments(__.getSelfLink(), { query: "SELECT 1", parameters: [{ name: "__proto__", value: a }] }, () => 0);
      __.response.setBody(a);
    }`;
    run(source, { collection, args });
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("gets an error where a document's text cannot be made", () => {
    const getter = "{ id: 'a', get x() { throw new Error(77, 'mine'); } }";
    expect(failureOf(`function () { __.createDocument(__.getSelfLink(), ${getter}); }`)).toMatchObject({
      substatus: 77,
    });
    const vanishing = "{ id: 'a', toJSON() { return undefined; } }";
    expect(failureOf(`function () { __.createDocument(__.getSelfLink(), ${vanishing}); }`)).toMatchObject({
      status: 400,
    });
  });
});
