import { describe, expect, it } from "vitest";
import { FakeCollection } from "./support/fake-collection.ts";
import { errorText, procedure, scriptRunner } from "./support/script-runner.ts";

const { run, failureOf } = scriptRunner();

/** Limit of a test: these scripts must end, however slow a busy machine is. */
const PATIENTLY = { timeout: 300_000 };

/** The least that an interpreter may have, because filling it costs time. */
const SMALL = { memoryBytes: 16 * 1024 * 1024 };

/** Real time: nothing but a clock that goes on can end a loop. */
const SHORT = { limits: { timeMs: 50 } };

function expectUsable(): void {
  expect(run(procedure("answer(1);"))).toBe(1);
}

describe("a script that does not end", PATIENTLY, () => {
  it.each([
    ["a loop", "for (;;);"],
    ["a loop that catches everything", "for (;;) { try { for (;;); } catch {} finally { continue; } }"],
    ["a generator", "const g = (function* () { for (;;) yield; })(); for (const _ of g);"],
    ["promises without end", "const f = () => Promise.resolve().then(f); f();"],
    ["an async loop", "(async () => { for (;;) await 0; })();"],
    ["callbacks without end", "const f = () => query(f); f(); for (;;) c.getSelfLink();"],
    ["a regular expression that backtracks", `/^(a+)+$/.test("a".repeat(40) + "b");`],
    ["a getter of its exception", "throw { get a() { for (;;); } };"],
  ])("is stopped at the end of its time: %s", (_, body) => {
    expect(failureOf(procedure(body), SHORT)).toMatchObject({
      status: 408,
      code: "RequestTimeout",
    });
    expectUsable();
  });

  it.each([
    ["a search through a pretended array", "Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1);"],
    ["a search in a long text", `"a".repeat(5e6).indexOf("a".repeat(2e6) + "b");`],
    ["the same while it is loaded", null],
  ])("is stopped even inside of one built-in function: %s", (_, body) => {
    const source =
      body === null ? "Array.prototype.reverse.call({ length: 2 ** 53 - 1 })" : `function () { ${body} }`;
    expect(failureOf(source, SHORT)).toMatchObject({ status: 408 });
    expectUsable();
  });

  it("is out of time, not broken, also if its time is over before it is loaded", () => {
    for (const body of ["for (;;);", "return 1;"]) {
      // Only the first reading of the clock is before the end.
      const looks = [0];
      const limits = { timeMs: 50, now: () => looks.pop() ?? 1000 };
      expect(failureOf(`function () { ${body} }`, { limits })).toMatchObject({ status: 408 });
      expectUsable();
    }
  });

  it("is undone", () => {
    const collection = new FakeCollection();
    let calledAt: number | undefined;
    collection.beforeCall = () => {
      calledAt = performance.now();
    };
    // The time begins with the write: before it, a slow machine might use it up.
    const now = (): number => (calledAt === undefined ? 0 : performance.now() - calledAt);
    collection.add("a", { n: 1 });
    const source = procedure('patch("a", () => { for (;;); });');
    expect(failureOf(source, { collection, limits: { timeMs: 50, now } })).toMatchObject({ status: 408 });
    expect(collection.calls).toEqual(["patch"]);
    expect(collection.documents).toMatchObject([{ n: 1 }]);
  });

  it("has run out of time also if only its last call took too long", () => {
    let nowMs = 0;
    const collection = new FakeCollection();
    collection.beforeCall = () => {
      nowMs += 101;
    };
    collection.add("a", { n: 1 });
    const options = { collection, limits: { timeMs: 100, now: () => nowMs } };
    expect(failureOf(procedure('patch("a");'), options)).toMatchObject({ status: 408 });
    expect(collection.documents).toMatchObject([{ n: 1 }]);
  });
});

describe("a script that takes too much", PATIENTLY, () => {
  const small = scriptRunner(SMALL);

  it.each([
    ["a recursive function", "const f = () => f() + 1; f();"],
    ["a recursive getter", "const o = { get a() { return this.a; } }; o.a;"],
    ["a recursive conversion", `const o = { toString() { return "" + this; } }; "" + o;`],
    ["a recursive callback of a built-in function", "const f = () => [1, 2].sort(f); f();"],
    ["a recursive proxy", "new Proxy({}, { get: (t, k, r) => r[k] }).a;"],
    ["JSON of a million levels", `JSON.parse("[".repeat(1e6));`],
    ["code of a million levels", `eval("(".repeat(1e6));`],
    ["an array of many levels", "let a = []; for (let i = 0; i < 2e4; i++) a = [a]; JSON.stringify(a);"],
    ["flattening it", "let a = []; for (let i = 0; i < 2e4; i++) a = [a]; a.flat(Infinity);"],
    ["answering with it", "let a = []; for (let i = 0; i < 2e4; i++) a = [a]; answer(a);"],
  ])("fails by itself, of stack: %s", (_, body) => {
    expect(failureOf(procedure(body))).toMatchObject({ status: 400 });
    expectUsable();
  });

  it.each([
    ["arrays", "const a = []; for (;;) a.push(new Array(1e5).fill(1));"],
    [
      "a text that doubles",
      `let s = "abcdefgh"; const a = []; for (;;) { s += s.slice(0, 1e6); a.push(s + 1); }`,
    ],
    ["one huge text", `"a".repeat(2 ** 29);`],
    ["one huge buffer", "new ArrayBuffer(2 ** 30);"],
    ["a huge integer", "let a = 3n; for (;;) a *= a;"],
    ["bound functions", "let f = () => 1; for (;;) f = f.bind(null);"],
    ["promises", "for (;;) Promise.resolve().then(() => 1);"],
    ["calls of the collection", "for (;;) query();"],
  ])("fails by itself, of memory: %s", (_, body) => {
    expect(small.failureOf(procedure(body))).toMatchObject({ status: 400 });
    expect(small.run(procedure("answer(1);"))).toBe(1);
  });

  it("may catch the end of its memory and go on", () => {
    const source = procedure('try { "a".repeat(2 ** 29); } catch (error) { answer(error.message); }');
    expect(run(source)).toBe("out of memory");
  });

  it("cannot hide a failure in an exception that is too large to show", () => {
    const error = failureOf(`function () { throw new Error("x".repeat(1e7)); }`);
    expect(errorText(error).length).toBeLessThan(200_000);
  });
});
