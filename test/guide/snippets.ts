/** Finding programs in pages, and the regions of programs that they show. */
import { BLOCK, REGION, withoutIndentation } from "../../scripts/api-examples/regions.ts";

export interface Marker {
  readonly program: string;
  readonly region: string;
  /** Why the region is compiled only. */
  readonly reason: string | undefined;
}

export interface Block {
  /** The line of the opening fence, from 1. */
  readonly line: number;
  readonly marker: Marker | undefined;
}

export function blocksOf(page: string): Block[] {
  return [...page.matchAll(BLOCK)].map((match) => {
    const [, program, region, reason] = match;
    const line = page.slice(0, match.index).split("\n").length;
    return { line, marker: program && region ? { program, region, reason } : undefined };
  });
}

/** The page with the n-th text in its n-th block. */
export function withBlocks(page: string, texts: readonly string[]): string {
  let next = 0;
  return page.replaceAll(BLOCK, (block) => {
    const head = block.slice(0, block.indexOf("\n", block.indexOf("```")) + 1);
    return `${head}${texts[next++]}\n\`\`\``;
  });
}

/** Returns the regions by name, without their common indentation. */
export function regionsOf(program: string): ReadonlyMap<string, string> {
  const regions = program.matchAll(REGION);
  return new Map(
    [...regions].map(([, name = "", body = ""]) => [name, withoutIndentation(body.split("\n"))]),
  );
}
