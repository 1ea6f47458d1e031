/**
 * The files of the page. They are part of this package and of the packages of Preact and the fonts, so they are the
 * same for all users and are served without authorization; their addresses contain a digest of all of them.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

export interface Asset {
  readonly contentType: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** `.ts` where the package runs from its sources, `.js` where it runs from its build. */
const EXTENSION: string = path.extname(import.meta.url);
const PAGE: URL = new URL("../page/", import.meta.url);
/** Styles lie beside the sources, which are shipped. */
const STYLES: URL = new URL("../../src/page/style/", import.meta.url);

const FONTS: Readonly<Record<string, string>> = {
  "inter-latin.woff2": "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  "inter-latin-ext.woff2": "@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2",
  "mono-latin.woff2": "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
};

export class Assets {
  readonly #assets: ReadonlyMap<string, Asset>;
  /** A part of the address of each asset. */
  readonly digest: string;
  /** Paths of all modules, for the browser to load at once. */
  readonly modules: readonly string[];

  private constructor(assets: ReadonlyMap<string, Asset>) {
    this.#assets = assets;
    this.modules = [...assets.keys()].filter(
      (name) => name.startsWith("page/") || name.startsWith("vendor/"),
    );
    const hash = createHash("sha256");
    for (const [name, { body }] of assets) hash.update(name).update(body);
    this.digest = hash.digest("base64url").slice(0, 12);
  }

  static read(): Assets {
    const assets = new Map<string, Asset>();
    const styles = readdirSync(STYLES).filter((name) => name.endsWith(".css"));
    const css = styles.sort().map((name) => readFileSync(new URL(name, STYLES), "utf8"));
    assets.set("style.css", { contentType: "text/css; charset=utf-8", body: css.join("\n") });
    assets.set("icon.svg", { contentType: "image/svg+xml", body: ICON });
    for (const [name, text] of modules()) assets.set(name, script(name, text));
    for (const [name, specifier] of Object.entries(FONTS)) {
      assets.set(`fonts/${name}`, {
        contentType: "font/woff2",
        body: new Uint8Array(readFileSync(resolved(specifier))),
      });
    }
    return new Assets(assets);
  }

  get(name: string): Asset | undefined {
    return this.#assets.get(name);
  }
}

function* modules(): Generator<[name: string, text: string]> {
  const root = fileURLToPath(PAGE);
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(EXTENSION) && !file.endsWith(`.d${EXTENSION}`));
  for (const file of files.sort()) {
    const text = readFileSync(path.join(root, file), "utf8");
    yield [`page/${file}`, EXTENSION === ".ts" ? stripTypeScriptTypes(text) : text];
  }
  yield ["vendor/preact.js", readFileSync(resolved("preact"), "utf8")];
  yield ["vendor/hooks.js", readFileSync(resolved("preact/hooks"), "utf8")];
}

/** Browsers know no packages: the only two that are named get an address. Maps of sources are not served. */
function script(name: string, text: string): Asset {
  const vendor = `${"../".repeat(name.split("/").length - 1)}vendor`;
  const body = text
    .replaceAll(/(from\s*|import\s*)(["'])preact\/hooks\2/g, `$1"${vendor}/hooks.js"`)
    .replaceAll(/(from\s*|import\s*)(["'])preact\2/g, `$1"${vendor}/preact.js"`)
    .replaceAll(/\/\/# sourceMappingURL=\S+/g, "");
  return { contentType: "text/javascript; charset=utf-8", body };
}

function resolved(specifier: string): URL {
  return new URL(import.meta.resolve(specifier));
}

/** Two bars of a timeline, the second behind the first. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="8" fill="#18181b"/>
<rect x="6" y="8" width="13" height="4" rx="2" fill="#fafafa"/>
<rect x="11" y="14" width="15" height="4" rx="2" fill="#60a5fa"/>
<rect x="16" y="20" width="8" height="4" rx="2" fill="#4ade80"/>
</svg>
`;
