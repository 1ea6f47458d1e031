/** The part of a program that the API reference shows around a use. */
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { excerptOf } from "../../scripts/api-examples/excerpt.ts";

/** The excerpt around the name `used`. */
function around(text: string, within = { from: 0, to: text.length }): string {
  const source = ts.createSourceFile("program.ts", text, ts.ScriptTarget.Latest, true);
  let found: ts.Node = source;
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === "used") found = node;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return excerptOf(source, found, within);
}

const lines = (count: number, name = "line"): string =>
  Array.from({ length: count }, (_, n) => `  ${name}${n}();\n`).join("");

describe("an excerpt", () => {
  it("is all that may be shown, if that is short, without its indentation and the marks of regions", () => {
    const text = `before();\n  // #region use\n  if (ready) {\n    used();\n  }\n  // #endregion\nafter();\n`;
    const within = { from: text.indexOf("  // #region"), to: text.indexOf("after") };
    expect(around(text, within)).toBe("if (ready) {\n  used();\n}");
  });

  it("is the largest statement around the use that is short, here the whole function with its comment", () => {
    const text = `${lines(20)}/** Uses it. */\nfunction use() {\n${lines(8)}  used();\n}\n${lines(20)}`;
    expect(around(text)).toBe(`/** Uses it. */\nfunction use() {\n${lines(8)}  used();\n}`);
  });

  it("has the statements beside a short one, but no import", () => {
    const text = `import "a";\nused();\nlast();\n\nfunction other() {\n${lines(20)}}\n`;
    expect(around(text)).toBe("used();\nlast();");
    expect(around(`function other() {\n  first();\n  used();\n  last();\n${lines(20)}}\n`)).toBe(
      "first();\nused();\nlast();",
    );
  });

  it("takes no neighbour that may not be shown", () => {
    const text = `hidden();\nused();\n${lines(20)}`;
    expect(around(text, { from: text.indexOf("used"), to: text.length })).toBe("used();\n  line0();");
  });

  it("of a long statement is its head and the lines around the use, with marks for what is left out", () => {
    const fields = (from: number, to: number): string =>
      Array.from({ length: to - from }, (_, n) => `  field${from + n}: 1,\n`).join("");
    const text = `const options = {\n${fields(0, 10)}  used: 1,\n${fields(10, 20)}};\n`;
    expect(around(text)).toBe(
      `const options = {\n  // …\n${fields(7, 10)}  used: 1,\n${fields(10, 13)}  // …`,
    );
  });
});
