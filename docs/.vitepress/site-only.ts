/**
 * Parts of pages that only the site shows: a chart or the calculator, where a page has a comment for it. The comment becomes a block
 * of code of its kind, before comments are dropped.
 */
import type { MarkdownOptions } from "vitepress";
import { chartOf } from "./charts.ts";

type Markdown = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

const BLOCK = /^<!-- (chart|calculator)((?: [\w.-]+)*) -->$/gm;

export function siteOnly(markdown: Markdown, root: string): void {
  markdown.core.ruler.before("comments", "site-only", (state) => {
    state.src = state.src.replaceAll(BLOCK, "```site-$1\n$2\n```");
  });
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index];
    const kind = token?.info.trim();
    if (kind === "site-chart") return chartOf(root, token?.content ?? "");
    if (kind === "site-calculator") return "<CostCalculator />\n";
    return fence?.(tokens, index, options, env, self) ?? "";
  };
}
