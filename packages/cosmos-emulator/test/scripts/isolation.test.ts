import { describe, expect, it } from "vitest";
import { FakeCollection } from "./support/fake-collection.ts";
import { procedure, scriptRunner } from "./support/script-runner.ts";

const { run } = scriptRunner();

const resultOf = (expression: string): unknown => run(procedure(`answer(${expression});`));

describe("a script in its sandbox", () => {
  it.each([
    [
      "the constructor of its this",
      `(0, function () { return this; })().constructor.constructor("return typeof process")()`,
    ],
    ["the constructor of the context", `getContext.constructor("return typeof process")()`],
    ["the constructor of a method", `c.patchDocument.constructor("return typeof process")()`],
    ["a Function of its own", `new Function("return typeof process")()`],
    ["eval", `(0, eval)("typeof process")`],
    ["a generator's constructor", `(function* () {}).constructor("yield typeof process")().next().value`],
  ])("sees nothing of the process through %s", (_, expression) => {
    expect(resultOf(expression)).toBe("undefined");
  });

  it("has JavaScript and the server-side API as its globals, and nothing else", () => {
    const globals = resultOf("Object.getOwnPropertyNames(globalThis).filter((name) => !/^[A-Z]/.test(name))");
    const known =
      "getContext console globalThis undefined eval parseInt parseFloat isNaN isFinite decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape queueMicrotask performance";
    expect((globals as string[]).filter((name) => !known.split(" ").includes(name))).toEqual([]);
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
    expect(resultOf(`typeof ${name}`)).toBe("undefined");
  });

  it("cannot import a module", () => {
    const source = procedure(
      `const outcomes = [];
      for (const name of ["fs", "node:fs", "./sandbox.ts", "data:text/javascript,1"]) {
        outcomes.push(await import(name).then(() => "loaded", () => "refused"));
      }
      answer(outcomes);`,
      "async function ()",
    );
    expect(run(source)).toEqual(["refused", "refused", "refused", "refused"]);
  });

  it("finds no path and no name of the host in its errors", () => {
    const source = procedure(`
      const stacks = [];
      try { null.x; } catch (error) { stacks.push(error.stack); }
      try { c.readDocument(7); } catch (error) { stacks.push(error.stack); }
      try { c.queryDocuments("x"); } catch (error) { stacks.push(error.stack); }
      answer(stacks.join("\\n"));`);
    expect(run(source)).not.toMatch(/file:|node:|\.ts\b|packages|node_modules|wasm/);
  });

  it("cannot reach the function that leads outside", () => {
    const source = procedure(`
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
      patch("a", function () {
        const isHost = (value) => typeof value === "function" && value.name === "host";
        let found = 0;
        for (const value of seen) if (isHost(value) || isHost(value?.call) || isHost(value?.accepting)) found++;
        answer([found, seen.length > 0]);
      });`);
    expect(run(source)).toEqual([0, true]);
  });

  it("cannot name a document outside of its container by a link", () => {
    const links = [
      "dbs/shop/colls/orders/docs/../../others/docs/a",
      "dbs/shop/colls/orders/../others/docs/a",
      "/dbs/shop/colls/orders/docs/a",
      "dbs/shop/colls/orders//docs/a",
    ];
    const source = procedure(`
      const numbers = [];
      for (const link of args[0]) {
        try { c.readDocument(link, (error) => numbers.push(error.number)); } catch (error) { numbers.push(error.number); }
      }
      query(() => answer(numbers.sort()));`);
    expect(run(source, { args: [links] })).toEqual([400, 400, 400, 404]);
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
    ["the collection", "for (const name in c) c[name] = () => { throw 1; };"],
    ["the context", "getContext().getCollection = null; globalThis.getContext = null;"],
    [
      "the globals",
      "for (const name of Object.getOwnPropertyNames(globalThis)) try { delete globalThis[name]; } catch {}",
    ],
    ["the response", "answer({ toJSON() { throw 1; } });"],
    ["with exotic values", "answer(new Proxy({}, { ownKeys() { throw 1; } }));"],
  ];

  it.each(SPOILERS)("harms itself at most: %s", (_, statement) => {
    try {
      run(procedure(`${statement} patch("a", () => {});`));
    } catch (error) {
      expect(error).toMatchObject({ status: 400 });
    }
    const collection = new FakeCollection();
    collection.add("b");
    const after = procedure(`
      patch("b", (error, document) =>
        answer([args[0], document.id, {}.failed, [][0], typeof Promise, new Error("x").message]));`);
    expect(run(after, { collection, args: [1] })).toEqual([1, "b", null, null, "function", "x"]);
  });

  it("leaves nothing for the next script", () => {
    run(procedure("globalThis.leftover = 1; Object.prototype.leftover = 2; c.leftover = 3;"));
    expect(resultOf("[typeof leftover, typeof {}.leftover, typeof c.leftover]")).toEqual(
      Array(3).fill("undefined"),
    );
  });

  it("cannot pollute the host through patches and arguments", () => {
    const collection = new FakeCollection();
    collection.add("a");
    const args = [JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')];
    const source = procedure(`
      c.patchDocument(c.getAltLink() + "/docs/a", [{ op: "set", path: "/__proto__", value: { polluted: 1 } }], () => 0);
      c.queryDocuments(c.getSelfLink(), { query: "SELECT 1", parameters: [{ name: "__proto__", value: args[0] }] }, () => 0);
      answer(args[0]);`);
    run(source, { collection, args });
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});
