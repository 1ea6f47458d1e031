/** A page shows what a request answered some time later, so an assertion on it waits: `expectSoon`. */
import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const READS =
  "count|innerText|allInnerTexts|textContent|allTextContents|isVisible|isDisabled|inputValue|getAttribute";
const WITHOUT_WAITING = new RegExp(`expect\\(\\s*await [^;]*?\\.(${READS})\\([^()]*\\),?\\s*\\)\\s*\\.`);

it("no assertion reads a page once", () => {
  const files = globSync(["packages/*/test/**/*.test.ts", "test/**/*.test.ts"]).filter((file) => {
    const source = readFileSync(file, "utf8");
    return /playwright|\bpage\b/.test(source) && WITHOUT_WAITING.test(source);
  });
  expect(files).toEqual([]);
});
