/** Compiles some snippets together, and returns what the compiler says about each. */
import path from "node:path";
import { compile, type Finding } from "../support/compile.ts";

const STAGE = path.join(import.meta.dirname, "stage.ts");

/**
 * Findings of each snippet, in order. A snippet is the body of an async function that sees stage.ts. `declaration`
 * stands at the top of each file and holds for all.
 */
export function compileSnippets(
  snippets: readonly string[],
  declaration = "",
): readonly (readonly Finding[])[] {
  const programs = snippets.map((snippet) => programOf(snippet, declaration));
  // A snippet uses what its mistake needs, and no more.
  return compile(programs, { allowUnused: true });
}

function programOf(snippet: string, declaration: string): string {
  return `
    import { activity, orchestration, Runtime } from "@duroxide-ts/core";
    import { approved, charge, checkout, client, ctx, due, handle, isPaid, jobs, order, ping, progress, provider, ship }
      from ${JSON.stringify(STAGE)};
    ${declaration}
    export async function program() {
      ${snippet}
    }`;
}
