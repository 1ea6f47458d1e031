/** How pages show programs: blocks, whose comment above names a region, and regions between two comments of a program. */

/** The program, the region, why it is compiled only, and the code. A block without a comment has the code alone. */
export const BLOCK: RegExp =
  /(?:<!-- ([\w.-]+)#([\w-]+)(?:, not run: (.+?))? -->\n)?```(?:ts|typescript)\n([\s\S]*?)\n```/g;

/** The name and the code. */
export const REGION: RegExp = /^ *\/\/ #region ([\w-]+)\n([\s\S]*?)\n *\/\/ #endregion$/gm;

export function withoutIndentation(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  return lines.map((line) => line.slice(Math.min(...indents))).join("\n");
}
