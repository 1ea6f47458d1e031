/** docs/what-you-see-when.md: each mistake is made here, and the page has what was seen. */
import path from "node:path";
import { describe, expect, it, test } from "vitest";
import { compileSnippets } from "./compile.ts";
import { COMPILE_MISTAKES } from "./compile-mistakes.ts";
import { pageOf } from "./page.ts";
import { messageOf, RUN_MISTAKES } from "./run-mistakes.ts";

const PAGE = path.resolve(import.meta.dirname, "../../docs/what-you-see-when.md");
const MOST_LINES = 3;

const findings = compileSnippets(COMPILE_MISTAKES.map(({ code }) => code));
const found = COMPILE_MISTAKES.map((mistake, index) => ({ ...mistake, findings: findings[index] ?? [] }));

describe("the compiler", () => {
  it.each(found)("finds: $title", ({ findings: [first, ...others] }) => {
    expect(first).toBeDefined();
    expect(others).toEqual([]);
    expect(first?.lines.length).toBeLessThanOrEqual(MOST_LINES);
  });

  it("has nothing to say about programs without mistakes", () => {
    const right = [
      "const { receipt } = await ctx.scheduleActivity(charge, order);\nawait ctx.scheduleActivity(ship, { receipt });",
      'const { at } = await ctx.scheduleActivity(due, "o");\nreturn new Date(at).getTime();',
      "return ctx.all([(b) => b.scheduleActivity(ping), async (b) => b.scheduleTimer(1)]);",
      "await client.start(checkout, { input: order });\nawait handle.raise(approved, true);",
    ];
    expect(compileSnippets(right)).toEqual(right.map(() => []));
  });
});

test("a program whose codec keeps what it is given says so once, and has its own types back", () => {
  const declaration =
    'declare module "@duroxide-ts/core" { interface StoredTypes<T> { readonly stored: T } }';
  const kept = [
    'const { at } = await ctx.scheduleActivity(due, "o");\nreturn at.getTime();',
    'activity("prices", async () => new Map([["apple", 100]]));',
  ];
  expect(compileSnippets(kept, declaration)).toEqual([[], []]);
});

test("docs/what-you-see-when.md has the messages that the mistakes get", async () => {
  const told = [];
  for (const mistake of RUN_MISTAKES) told.push({ ...mistake, message: await messageOf(mistake) });
  await expect(pageOf(found, told)).toMatchFileSnapshot(PAGE);
});
