/** What the compiler says about some files, with the options of the tests. */
import path from "node:path";
import ts from "typescript";

const ROOT = path.resolve(import.meta.dirname, "../..");

export function compile(files: readonly string[]): string[] {
  const config = ts.readConfigFile(path.join(ROOT, "tsconfig.test.json"), ts.sys.readFile);
  const parsed = ts.parseJsonConfigFileContent({ ...config.config, include: [] }, ts.sys, ROOT);
  const { tsBuildInfoFile: _, ...options } = { ...parsed.options, incremental: false };
  const program = ts.createProgram(files, options);
  return files.flatMap((file) => {
    const source = program.getSourceFile(file);
    const problems = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return problems.map(({ start = 0, messageText }) => {
      const line = (source?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
      return `${path.relative(ROOT, file)}:${line} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    });
  });
}
