/** What the compiler says about the TypeScript blocks of a page, each a module of its own. */
import path from "node:path";
import ts from "typescript";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** `prelude` is added to each block, `ambient` is a declaration file beside them. */
export function compileBlocks(page: string, prelude: string, ambient: string): string[] {
  const blocks = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code + prelude);
  const files = new Map([
    [path.join(ROOT, "ambient.d.ts"), ambient],
    ...blocks.map((code, number) => [path.join(ROOT, `block-${number}.ts`), code] as const),
  ]);
  const program = ts.createProgram([...files.keys()], optionsOfTests(), hostWith(files));
  return [...files.keys()].flatMap((file) => {
    const source = program.getSourceFile(file);
    const problems = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return problems.map(
      ({ messageText }) => `${path.basename(file)}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
  });
}

function optionsOfTests(): ts.CompilerOptions {
  const config = ts.readConfigFile(path.join(ROOT, "tsconfig.test.json"), ts.sys.readFile);
  const parsed = ts.parseJsonConfigFileContent({ ...config.config, include: [] }, ts.sys, ROOT);
  const { tsBuildInfoFile: _, ...options } = { ...parsed.options, incremental: false };
  return options;
}

function hostWith(files: ReadonlyMap<string, string>): ts.CompilerHost {
  const host = ts.createCompilerHost(optionsOfTests());
  const { getSourceFile, fileExists } = host;
  host.getSourceFile = (name, languageVersion, ...rest) => {
    const text = files.get(name);
    if (text === undefined) return getSourceFile(name, languageVersion, ...rest);
    return ts.createSourceFile(name, text, languageVersion);
  };
  host.fileExists = (name) => files.has(name) || fileExists(name);
  return host;
}
