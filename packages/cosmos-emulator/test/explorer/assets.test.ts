import { describe, expect, it } from "vitest";
import { explorerFile } from "../../src/explorer/index.ts";

const bodyOf = (path: string): string => explorerFile(path)?.body ?? expect.fail(`There is no ${path}.`);

/** Every module that the page loads, by the names under which the browser asks for them. */
function modules(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    found.set(path, bodyOf(path));
    for (const [, name] of bodyOf(path).matchAll(/from "\.\/([^"]+)"/g)) visit(`page/${name}`);
  };
  visit("page/main.js");
  return found;
}

const MODULES = modules();

describe("the explorer's files", () => {
  it("are a page, its style, its icon and its modules", () => {
    expect(explorerFile("")).toMatchObject({ contentType: "text/html; charset=utf-8" });
    expect(explorerFile("index.html")).toEqual(explorerFile(""));
    expect(explorerFile("style.css")).toMatchObject({ contentType: "text/css; charset=utf-8" });
    expect(explorerFile("icon.svg")).toMatchObject({ contentType: "image/svg+xml" });
    expect(explorerFile("page/main.js")).toMatchObject({ contentType: "text/javascript; charset=utf-8" });
  });

  it("have every module that another one imports, and import nothing else", () => {
    expect(MODULES.size).toBeGreaterThan(5);
    for (const [path, text] of MODULES) {
      const imports = [...text.matchAll(/^(?:import|export) .*from "([^"]+)"/gm)].map(([, name]) => name);
      expect(
        imports.filter((name) => !name?.startsWith("./")),
        path,
      ).toEqual([]);
    }
  });

  it("name nothing of another host, and have no script or style inside of the page", () => {
    const html = bodyOf("");
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/i);
    const all = [html, bodyOf("style.css"), ...MODULES.values()].join("\n");
    expect(all.match(/https?:\/\/[^\s"'`]+/g)).toBeNull();
  });

  it("never make markup of text", () => {
    for (const [path, text] of MODULES) {
      expect(text, path).not.toMatch(
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/,
      );
    }
  });

  it.each([
    "nothing.js",
    "page/nothing.js",
    "page/../index.js",
    "page/..%2findex.js",
    "../index.ts",
    "page/main.json",
    "page/",
    "/etc/passwd",
  ])("do not include %s", (path) => {
    expect(explorerFile(path)).toBeUndefined();
  });
});
