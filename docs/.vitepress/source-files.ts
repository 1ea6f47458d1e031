/**
 * Links from pages to files that are no pages, such as programs: the site has a copy of each, as text. A README is the
 * first page of its folder. A link to a folder without one leads to the nearest README above.
 */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { MarkdownOptions } from "vitepress";

type Markdown = Parameters<NonNullable<MarkdownOptions["config"]>>[0];
const require = createRequire(import.meta.url);

export class SourceFiles {
  readonly #root: string;
  readonly #linked = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  linkFrom(markdown: Markdown): void {
    markdown.core.ruler.push("source-files", (state) => {
      const page: unknown = state.env.realPath ?? state.env.path;
      if (typeof page !== "string") return;
      for (const token of state.tokens.flatMap((it) => it.children ?? [])) {
        const href = token.type === "link_open" ? token.attrGet("href") : null;
        const target = href === null ? undefined : this.#targetOf(href, path.dirname(page));
        if (target !== undefined) token.attrSet("href", target);
      }
    });
  }

  /** Copies what pages link to, and what pictures are drawn with. */
  write(folder: string): void {
    for (const file of this.#linked) {
      const copy = path.join(folder, "files", `${file}.txt`);
      mkdirSync(path.dirname(copy), { recursive: true });
      writeFileSync(copy, readFileSync(path.join(this.#root, file)));
    }
    writeFileSync(path.join(folder, "mermaid.js"), readFileSync(require.resolve("@mermaid-js/tiny")));
  }

  /** Undefined for a page, and for what lies outside the repository. */
  #targetOf(href: string, from: string): string | undefined {
    if (/^[a-z]+:|^[#/]/.test(href)) return undefined;
    const file = path.resolve(from, decodeURI(href.replace(/#.*$/, "")));
    const name = path.relative(this.#root, file);
    if (!existsSync(file) || name.startsWith("..")) return undefined;
    if (statSync(file).isDirectory()) return this.#readmeAbove(name);
    const isPage = name.endsWith(".md") && !/^packages\/[^/]+\/(conformance|src|test)\//.test(name);
    if (isPage && path.basename(name) === "README.md")
      return `/${name.slice(0, -"README.md".length)}${hashOf(href)}`;
    if (isPage) return undefined;
    this.#linked.add(name);
    return `/files/${name}.txt`;
  }

  #readmeAbove(folder: string): string {
    const readme = path.join(folder, "README.md");
    if (folder === "." || existsSync(path.join(this.#root, readme)))
      return `/${folder === "." ? "" : `${folder}/`}`;
    return this.#readmeAbove(path.dirname(folder));
  }
}

function hashOf(href: string): string {
  return /#.*$/.exec(href)?.[0] ?? "";
}
