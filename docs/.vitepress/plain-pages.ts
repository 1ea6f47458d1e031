/** Pages are plain Markdown: what looks like a tag or a template of Vue is text, and comments are not shown. */
import type { MarkdownOptions } from "vitepress";

type Markdown = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

export function plainPages(markdown: Markdown): void {
  markdown.core.ruler.before("normalize", "comments", (state) => {
    state.src = state.src.replaceAll(/<!--[\s\S]*?-->/g, "");
  });
  const { text } = markdown.renderer.rules;
  markdown.renderer.rules.text = (tokens, index, options, env, self) =>
    (text?.(tokens, index, options, env, self) ?? "").replaceAll("{{", "&#123;&#123;");
}
