/** The rules of leases exist once: the text that the procedures have is the code of stored-lease.ts. */
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { expect, it } from "vitest";

const FOLDER = new URL("../../src/document-leases/", import.meta.url);

it("the procedures have the rules of stored-lease.ts", async () => {
  const source = readFileSync(new URL("stored-lease.ts", FOLDER), "utf8");
  await expect(fileWith(codeOf(source))).toMatchFileSnapshot(
    new URL("procedures/rules-text.ts", FOLDER).pathname,
  );
});

/**
 * The code without types, comments and exports, so that the texts of the procedures stay short, and without the commas
 * after last parameters, which are newer than ECMAScript 2015.
 */
function codeOf(source: string): string {
  return stripTypeScriptTypes(source)
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "")
    .replaceAll(/^export /gm, "")
    .replaceAll(/(\S) +/g, "$1 ")
    .replaceAll(/ ?,\s*\)/g, ")")
    .replaceAll(/ ([,)])/g, "$1")
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "" && line !== ";")
    .join("\n");
}

function fileWith(code: string): string {
  expect(code, "what a template literal would read differently").not.toMatch(/[`\\]|\$\{/);
  expect(code, "what is newer than ECMAScript 2015").not.toMatch(/\?\.|\?\?|\.{3}|\*\*|\basync\b|,\s*\)/);
  return `/**
 * The code of stored-lease.ts for the procedures: \`npm test -- packages/cosmos/test/document-leases -u\` writes this
 * file.
 */
export const RULES_TEXT = \`${code}\`;
`;
}
