/** The sidebar of the documentation site leads to every page, and to no other. */
import path from "node:path";
import type { DefaultTheme } from "vitepress";
import { describe, expect, it } from "vitest";
import { sidebar } from "../../docs/.vitepress/sidebar.ts";
import { listFiles, listFolder, listPackages } from "./repository.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** Pages beside the sources of a package are for its developers. */
const PAGES: readonly string[] = [
  ...["docs", "examples", "benchmarks", "simulation"].flatMap((folder) => listFiles(folder, ".md")),
  ...["", ...listPackages().map((name) => `packages/${name}/`)].flatMap((folder) =>
    listFolder(folder)
      .filter((file) => file.endsWith(".md"))
      .map((file) => `${folder}${file}`),
  ),
];

function linksOf(items: readonly DefaultTheme.SidebarItem[]): string[] {
  return items.flatMap(({ link, items: inner = [] }) => [
    ...(link === undefined ? [] : [link]),
    ...linksOf(inner),
  ]);
}

function linkOf(page: string): string {
  return `/${page.replace(/(^|\/)README\.md$/, "$1").replace(/\.md$/, ".html")}`;
}

describe("the sidebar of the site", () => {
  it("leads to every page once, and to nothing else", () => {
    expect(linksOf(sidebar(ROOT)).sort()).toEqual(PAGES.map(linkOf).sort());
  });
});
