import { describe, expect, it } from "vitest";
import { scriptRunner } from "./support/script-runner.ts";

const { run, failureOf } = scriptRunner();
const setBody = (expression: string): string =>
  `function () { getContext().getResponse().setBody(${expression}); }`;

describe("a script's response", () => {
  it.each([
    ["an object", '{ a: [1, null, "x"] }', { a: [1, null, "x"] }],
    ["a bare number", "1", 1],
    ["a text", '"hello"', "hello"],
    ["a NUL, a lone surrogate and a line separator", '"\\0|\\ud800|\\u2028"', "\0|\ud800|\u2028"],
    ["nothing", "undefined", null],
  ])("is the JSON of %s", (_, expression, expected) => {
    expect(run(setBody(expression)).body).toEqual(expected);
  });

  it("is an empty text if the script sets nothing", () => {
    expect(run("function () {}").body).toBe("");
  });

  it("is what the object has become by the end", () => {
    const source = "function () { const a = {}; __.response.setBody(a); a.later = true; }";
    expect(run(source).body).toEqual({ later: true });
  });

  it("can be appended to, by method or by name", () => {
    const source = `function () {
      __.response.appendBody("a");
      __.response.appendValue("Body", "b");
      __.response.setValue("body", __.response.getValue("Body") + "c");
      __.response.appendBody(__.response.getBody().length);
    }`;
    expect(run(source).body).toBe("abc3");
  });

  it("has no headers that a script may set", () => {
    const error = failureOf(`function () { __.response.setValue("x-ms-request-charge", "0"); }`);
    expect(error).toMatchObject({ status: 400, substatus: 400 });
  });

  it("gets the arguments as values", () => {
    const args = [{ a: [true, null] }, "é\u2028\0", 1.5];
    const source = "function (...args) { __.response.setBody(args); }";
    expect(run(source, { args }).body).toEqual(args);
  });

  it.each([
    ["set at once", `__.response.setBody("x".repeat(101))`],
    ["appended to", `for (let i = 0; i < 101; i++) __.response.appendBody("x")`],
    [
      "an object that grows after it was set",
      `const a = []; __.response.setBody(a); a.push("x".repeat(101))`,
    ],
  ])("fails with 413 beyond its limit: %s", (_, statement) => {
    const error = failureOf(`function () { ${statement}; }`, { limits: { maxResponseLength: 100 } });
    expect(error).toMatchObject({ status: 413, code: "RequestEntityTooLarge" });
  });

  it("lets a script catch the refusal and answer less", () => {
    const source = `function () {
      try { __.response.setBody("x".repeat(101)); } catch (error) { __.response.setBody(error.number); }
    }`;
    expect(run(source, { limits: { maxResponseLength: 100 } }).body).toBe(413);
  });

  it("fails with 413 only where a limit was met, not where a script chose that number", () => {
    expect(failureOf(`function () { throw new Error(413, "mine"); }`)).toMatchObject({
      status: 400,
      substatus: 413,
    });
  });
});

describe("a script's log", () => {
  it("has what was logged, with values filled in", () => {
    const source = `function () { console.log("a"); console.log("%s of %s is 100%%|", 1, "two"); console.log(3); }`;
    expect(run(source).log).toBe("a1 of two is 100%|3");
  });

  it("is empty unless it was asked for", () => {
    expect(run(`function () { console.log("a"); }`, { enableLogging: false }).log).toBe("");
  });

  it("keeps what was logged by callbacks", () => {
    const source = `function () { __.readDocuments(__.getSelfLink(), () => console.log("done")); }`;
    expect(run(source).log).toBe("done");
  });

  it("fails with 413 beyond its limit", () => {
    const source = `function () { for (;;) console.log("0123456789"); }`;
    expect(failureOf(source, { limits: { maxLogLength: 100 } })).toMatchObject({ status: 413 });
  });
});
