/** Blocks of Mermaid become a component that draws them in the browser (theme/mermaid.ts). */
import type { MarkdownOptions } from "vitepress";

type Markdown = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

export function pictures(markdown: Markdown): void {
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index];
    if (token?.info.trim() === "mermaid") return `<Mermaid code="${encodeURIComponent(token.content)}" />\n`;
    return fence?.(tokens, index, options, env, self) ?? "";
  };
}
