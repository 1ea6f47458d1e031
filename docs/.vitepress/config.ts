/**
 * The site that `npm run docs` builds from the Markdown files of the repository. Every page is a file that reads as
 * well on its own; nothing is written for the site alone.
 */
import path from "node:path";
import { defineConfig, type MarkdownEnv } from "vitepress";
import { copyAgentPages } from "../../scripts/agent-pages.ts";
import { pictures } from "./pictures.ts";
import { plainPages } from "./plain-pages.ts";
import { sidebar } from "./sidebar.ts";
import { siteOnly } from "./site-only.ts";
import { SourceFiles } from "./source-files.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const sources = new SourceFiles(ROOT);

/** Pages about the Rust library (docs/reference/upstream) are in the site, and not in its search. */
async function renderForSearch(
  source: string,
  env: MarkdownEnv,
  markdown: { renderAsync: (source: string, env: MarkdownEnv) => Promise<string> },
): Promise<string> {
  return env.relativePath.includes("/upstream/") ? "" : markdown.renderAsync(source, env);
}

/**
 * The guide and the recipes are what most readers look for; the reference and the decisions are long, and for few. The
 * function runs in the browser, where nothing else of this file is.
 */
const SEARCH = {
  boost: { title: 6, titles: 3, text: 1 },
  boostDocument: (id: string): number => {
    if (/^\/(docs\/guide|docs\/recipes)\//.test(id)) return 4;
    return /^\/(docs\/(reference|decisions)|benchmarks|packages\/[^/]+\/(ARCHITECTURE|CONFORMANCE))/.test(id)
      ? 0.2
      : 1;
  },
};

export default defineConfig({
  title: "duroxide-ts",
  description: "Durable orchestrations for TypeScript",
  lang: "en",
  srcDir: "..",
  srcExclude: [
    ".cache/**",
    ".github/**",
    ".toolchain/**",
    "dist/**",
    "packages/*/{conformance,dist,src,test}/**",
    "tmp/**",
  ],
  rewrites: { "README.md": "index.md", ":folder(.*)/README.md": ":folder/index.md" },
  outDir: "../dist/site",
  cacheDir: "../node_modules/.cache/vitepress",
  // The index of the search is one file, and loaded when it is needed.
  vite: { build: { chunkSizeWarningLimit: 4_000 } },
  markdown: {
    html: false,
    config: (markdown) => {
      markdown.use(plainPages).use(pictures);
      siteOnly(markdown, ROOT);
      sources.linkFrom(markdown);
    },
  },
  buildEnd: ({ outDir }) => {
    sources.write(outDir);
    copyAgentPages(ROOT, outDir);
  },
  themeConfig: {
    search: {
      provider: "local",
      options: { miniSearch: { searchOptions: SEARCH }, _render: renderForSearch },
    },
    outline: [2, 3],
    nav: [
      { text: "Guide", link: "/docs/guide/" },
      { text: "Cosmos DB", link: "/docs/cosmos/" },
      { text: "Reference", link: "/docs/reference/" },
      { text: "API", link: "/api/index.html", target: "_self" },
    ],
    sidebar: sidebar(ROOT),
  },
});
