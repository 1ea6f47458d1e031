/**
 * A plugin of TypeDoc: every public member is shown with an example, taken from the pages and programs that use it
 * (docs/decisions/repository.md). What has an example in its docstring keeps it.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Application, type Context, Converter, Renderer } from "typedoc";
import { addExamples } from "./members.ts";
import { Sources } from "./sources.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

export function load(app: Application): void {
  const { options } = app;
  let sources: Sources | undefined;
  let copied: readonly string[] = [];
  app.on("bootstrapEnd", () => {
    const files = options.getFileNames();
    sources = Sources.prepare(ROOT, files);
    const all = [...files, ...sources.looseFiles];
    options.setCompilerOptions(all, options.getCompilerOptions(app.logger), options.getProjectReferences());
  });
  app.converter.on(Converter.EVENT_RESOLVE_END, (context: Context) => {
    if (sources === undefined) return;
    const { without, files } = addExamples(ROOT, context, sources);
    copied = files;
    for (const name of without) app.logger.warn(`${name} has no example`);
  });
  app.renderer.on(Renderer.EVENT_END, ({ outputDirectory }) => {
    for (const file of copied) copyProgram(file, path.dirname(outputDirectory));
  });
}

function copyProgram(file: string, site: string): void {
  const copy = path.join(site, "files", `${file}.txt`);
  mkdirSync(path.dirname(copy), { recursive: true });
  writeFileSync(copy, readFileSync(path.join(ROOT, file)));
}
