/** What the compiler says about each of some snippets: one program for all of them. */
import path from "node:path";
import ts from "typescript";

const ROOT = path.resolve(import.meta.dirname, "../..");

export interface Finding {
  readonly code: number;
  readonly lines: readonly string[];
}

/**
 * Findings of each snippet, in order. A snippet is the body of an async function that sees stage.ts. `declaration`
 * stands at the top of each file and holds for the program.
 */
export function compileSnippets(
  snippets: readonly string[],
  declaration = "",
): readonly (readonly Finding[])[] {
  const files = snippets.map((_, index) => path.join(import.meta.dirname, `snippet-${index}.ts`));
  const texts = new Map(files.map((file, index) => [file, programOf(snippets[index] ?? "", declaration)]));
  const program = ts.createProgram(files, optionsOfTests(), hostWith(texts));
  return files.map((file) => {
    const source = program.getSourceFile(file);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ code, messageText }) => ({
      code,
      lines: ts.flattenDiagnosticMessageText(messageText, "\n").split("\n"),
    }));
  });
}

function programOf(snippet: string, declaration: string): string {
  return `
    import { activity, orchestration, Runtime } from "@duroxide-ts/core";
    import { approved, charge, checkout, client, ctx, due, handle, isPaid, jobs, order, ping, progress, provider, ship }
      from "./stage.ts";
    ${declaration}
    export async function program() {
      ${snippet}
    }`;
}

function optionsOfTests(): ts.CompilerOptions {
  const config = ts.readConfigFile(path.join(ROOT, "tsconfig.test.json"), ts.sys.readFile);
  const parsed = ts.parseJsonConfigFileContent({ ...config.config, include: [] }, ts.sys, ROOT);
  const { tsBuildInfoFile: _, ...options } = { ...parsed.options, incremental: false };
  // A snippet uses what its mistake needs, and no more.
  return { ...options, noUnusedLocals: false, noUnusedParameters: false };
}

function hostWith(texts: ReadonlyMap<string, string>): ts.CompilerHost {
  const host = ts.createCompilerHost(optionsOfTests());
  const { getSourceFile, fileExists, readFile } = host;
  return {
    ...host,
    fileExists: (file) => texts.has(path.normalize(file)) || fileExists(file),
    readFile: (file) => texts.get(path.normalize(file)) ?? readFile(file),
    getSourceFile: (file, options, ...rest) => {
      const text = texts.get(path.normalize(file));
      return text === undefined
        ? getSourceFile(file, options, ...rest)
        : ts.createSourceFile(file, text, options, true);
    },
  };
}
