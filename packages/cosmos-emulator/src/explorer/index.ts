/**
 * The data explorer: a page that is a client of the endpoint like any other. This file knows which files it consists
 * of; the program of the page is in page/, one browser module for each file of TypeScript.
 */
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { PAGE_HTML, PAGE_ICON } from "./page-html.ts";
import { PAGE_STYLE } from "./page-style.ts";

export interface ExplorerFile {
  readonly contentType: string;
  readonly body: string;
}

/** `.ts` where the package runs from its sources, `.js` where it runs from its build. */
const EXTENSION: string = path.extname(import.meta.url);

/** Returns a file of the page by its path from there; "" is the page itself. */
export function explorerFile(filePath: string): ExplorerFile | undefined {
  switch (filePath) {
    case "":
    case "index.html":
      return { contentType: "text/html; charset=utf-8", body: PAGE_HTML };
    case "style.css":
      return { contentType: "text/css; charset=utf-8", body: PAGE_STYLE };
    case "icon.svg":
      return { contentType: "image/svg+xml", body: PAGE_ICON };
    default:
      return moduleFile(filePath);
  }
}

/** Returns a module. The page asks for `.js` first, and then for whatever the modules name in their imports. */
function moduleFile(filePath: string): ExplorerFile | undefined {
  const name = /^page\/([a-z-]+)\.[jt]s$/.exec(filePath)?.[1];
  if (name === undefined) return undefined;
  const body = moduleText(new URL(`./page/${name}${EXTENSION}`, import.meta.url));
  return body === undefined ? undefined : { contentType: "text/javascript; charset=utf-8", body };
}

function moduleText(file: URL): string | undefined {
  try {
    const text = readFileSync(file, "utf8");
    return EXTENSION === ".ts" ? stripTypeScriptTypes(text) : text;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
