import { describe, expect, it } from "vitest";
import { CosmosError } from "../../src/protocol/cosmos-error.ts";
import { FakeCollection } from "./support/fake-collection.ts";
import { errorText, procedure, scriptRunner } from "./support/script-runner.ts";

const { run, failureOf } = scriptRunner();

describe("an exception that leaves a script", () => {
  it("is a 400 with the text that clients parse, and undoes what the script wrote", () => {
    const collection = new FakeCollection();
    collection.add("a", { n: 1 });
    const source = procedure(`patch("a", () => { throw new Error("out of stock"); });`);
    const error = failureOf(source, { collection });
    expect(error).toMatchObject({ status: 400, substatus: undefined, code: "BadRequest" });
    expect(errorText(error)).toMatch(
      /^Encountered exception while executing Javascript\. Exception = Error: out of stock\r\nStack trace: Error: out of stock\n/,
    );
    expect(collection.calls).toEqual(["patch"]);
    expect(collection.documents).toMatchObject([{ n: 1 }]);
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
    ["a whole number", "1234", 1234],
    ["no number", `"409"`, undefined],
  ])("has the number of the error as sub-status: %s", (_, number, substatus) => {
    const error = failureOf(`function () { const e = new TypeError("t"); e.number = ${number}; throw e; }`);
    expect(error).toMatchObject({ status: 400, substatus });
    expect(errorText(error)).toContain("Exception = TypeError: t");
  });

  it("is the error of a call if a callback throws that on", () => {
    const error = failureOf(procedure(`patch("none", (error) => { throw error; });`));
    expect(error).toMatchObject({ status: 400, substatus: 404 });
    expect(errorText(error)).toContain(`Exception = Error: {"Errors":["Resource Not Found."]}`);
  });

  it.each([
    ["text", `"{\\"code\\":700}"`, '{"code":700}'],
    ["an object", "{ code: 700 }", '{"code":700}'],
    ["undefined", "undefined", "undefined"],
    ["null", "null", "null"],
    ["a symbol", `Symbol("s")`, "Symbol(s)"],
    [
      "an object that cannot be written",
      "(() => { const a = {}; a.a = a; return a; })()",
      "an exception that cannot",
    ],
    ["a getter that throws", "({ get a() { throw 1; } })", "an exception that cannot be shown"],
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
    ["two statements", "var a = 1; function f() {}"],
    ["code that throws", "(() => { throw new Error('x'); })()"],
    ["cut off by a NUL", "function () {})\0garbage"],
  ])("is refused: %s", (_, source) => {
    const error = failureOf(source);
    expect(error).toMatchObject({ status: 400, code: "BadRequest" });
    expect(errorText(error)).toContain("The body of the stored procedure 'proc' is not one function: ");
  });

  it.each([
    ["a declaration", procedure("answer(1);", "function f()")],
    ["an arrow", procedure("answer(1);", "() =>")],
    ["async", procedure("answer(1);", "async () =>")],
    ["with a semicolon", `${procedure("answer(1);", "function f()")} ;\n`],
    ["among comments", `// first\n${procedure("answer(1);")} // last`],
  ])("is not: %s", (_, source) => {
    expect(run(source)).toBe(1);
  });
});

describe("promises in a script", () => {
  it("settle before the next callback", () => {
    const source = procedure(`
      const order = [];
      const later = (name) => Promise.resolve().then(() => order.push(name));
      later("before");
      query(() => { order.push("first"); later("between"); });
      query(() => { order.push("second"); answer(order); });`);
    expect(run(source)).toEqual(["before", "first", "between", "second"]);
  });

  it("that are rejected without a handler change nothing, as on the service", () => {
    const collection = new FakeCollection();
    collection.add("a", { n: 1 });
    const source = procedure(`patch("a"); throw new Error("lost");`, "async function ()");
    expect(run(source, { collection })).toBe("");
    expect(collection.documents).toMatchObject([{ n: 2 }]);
  });
});

describe("an error of the collection that is none of the service's", () => {
  it("ends the script, whatever that would do about it, and leaves as it is", () => {
    const collection = new FakeCollection();
    const bug = new TypeError("a bug in the endpoint");
    collection.beforeCall = () => {
      throw bug;
    };
    expect(() => run(procedure("query(() => {});"), { collection })).toThrow(bug);
    expect(run(procedure("answer(1);"))).toBe(1);
  });

  it("shows a script of the service's errors nothing but number and text", () => {
    const collection = new FakeCollection();
    collection.beforeCall = () => {
      throw CosmosError.conflict("taken", { cause: new Error("secret") });
    };
    const source = procedure(`
      query((error) => {
        const own = Object.getOwnPropertyNames(error).map((name) => [name, String(error[name])]);
        answer({ own, proto: Object.getPrototypeOf(error) === Error.prototype });
      });`);
    const { own, proto } = run(source, { collection }) as { own: [string, string][]; proto: boolean };
    expect(proto).toBe(true);
    expect(own.map(([name]) => name).sort()).toEqual(["body", "message", "number", "stack"]);
    const shown = JSON.stringify(own);
    expect(shown).toContain("taken");
    expect(shown).not.toMatch(/secret|file:|node:|\.ts|packages/);
  });
});
