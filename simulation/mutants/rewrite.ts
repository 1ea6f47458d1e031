/** Puts a mutant in the place of the source when the module is loaded. Loaded with `--import` by processes that run seeds. */
import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";
import { MUTANTS } from "./all.ts";
import { editsOf } from "./mutant.ts";
import { VARIABLE } from "./variable.ts";

const mutant = MUTANTS.find(({ name }) => name === process.env[VARIABLE]);
if (mutant === undefined) throw new Error(`there is no mutant ${process.env[VARIABLE]}`);

registerHooks({
  load(url, context, next) {
    const edits = editsOf(mutant).filter(({ file }) => url.endsWith(`/packages/${file}`));
    if (edits.length === 0) return next(url, context);
    const before = readFileSync(fileURLToPath(url), "utf8");
    const source = edits.reduce((text, { file, find, replace }) => {
      if (text.split(find).length !== 2)
        throw new Error(`${file} does not have the place of "${mutant.name}" once`);
      return text.replace(find, () => replace);
    }, before);
    return {
      format: "module",
      source: stripTypeScriptTypes(source),
      shortCircuit: true,
    };
  },
});
