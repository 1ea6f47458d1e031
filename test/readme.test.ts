/** The program that README.md shows compiles against the packages as they are. */
import path from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { read } from "./tidy/repository.ts";

const ROOT = path.resolve(import.meta.dirname, "..");

/** What the reader of the README takes for granted. */
const PRELUDE = `
  interface Order { readonly id: string }
  interface Receipt { readonly number: string }
  declare function pay(order: Order): Promise<Receipt>;
  declare function post(receipt: Receipt): Promise<string>;
  declare const order: Order;
`;

it("the README's program compiles", () => {
  const program = /```ts\n([\s\S]*?)```/.exec(read("README.md"))?.[1];
  expect(program, "README.md shows no TypeScript program").toBeDefined();
  expect(compile(`${program}${PRELUDE}`)).toEqual([]);
});

function compile(text: string): string[] {
  const file = path.join(ROOT, "readme-program.ts");
  const config = ts.readConfigFile(path.join(ROOT, "tsconfig.test.json"), ts.sys.readFile);
  const parsed = ts.parseJsonConfigFileContent({ ...config.config, include: [] }, ts.sys, ROOT);
  const { tsBuildInfoFile: _, ...options } = { ...parsed.options, incremental: false };
  const host = ts.createCompilerHost(options);
  const readSource = host.getSourceFile;
  host.getSourceFile = (name, languageVersion, ...rest) =>
    name === file
      ? ts.createSourceFile(name, text, languageVersion)
      : readSource(name, languageVersion, ...rest);
  const fileExists = host.fileExists;
  host.fileExists = (name) => name === file || fileExists(name);
  const program = ts.createProgram([file], options, host);
  const source = program.getSourceFile(file);
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
    (problem) => ts.flattenDiagnosticMessageText(problem.messageText, "\n"),
  );
}
