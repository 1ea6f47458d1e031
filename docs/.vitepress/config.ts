/**
 * The site that `npm run docs` builds from the Markdown files of the repository. Every page is a file that reads as
 * well on its own; nothing is written for the site alone.
 */
import path from "node:path";
import { defineConfig } from "vitepress";
import { copyAgentPages } from "../../scripts/agent-pages.ts";
import { pictures } from "./pictures.ts";
import { plainPages } from "./plain-pages.ts";
import { sidebar } from "./sidebar.ts";
import { SourceFiles } from "./source-files.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const sources = new SourceFiles(ROOT);

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
      sources.linkFrom(markdown);
    },
  },
  buildEnd: ({ outDir }) => {
    sources.write(outDir);
    copyAgentPages(ROOT, outDir);
  },
  themeConfig: {
    search: { provider: "local" },
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
