/** The documentation site, built into a folder of its own, without the API reference where that is not asked for, and a server for it on loopback. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".json": "application/json",
  ".txt": "text/plain",
  ".md": "text/markdown",
};

export class BuiltSite {
  readonly folder: string;
  readonly #server: Server;

  private constructor(folder: string, server: Server) {
    this.folder = folder;
    this.#server = server;
  }

  static async build(options: { readonly withApi?: boolean } = {}): Promise<BuiltSite> {
    mkdirSync(path.join(ROOT, ".cache"), { recursive: true });
    const folder = mkdtempSync(path.join(ROOT, ".cache", "site-"));
    run("vitepress/bin/vitepress.js", "build", "docs", "--outDir", folder);
    if (options.withApi) run("typedoc/bin/typedoc", "--out", path.join(folder, "api"));
    const server = createServer((request, response) => {
      const file = fileFor(folder, request.url ?? "/");
      if (file === undefined) response.writeHead(404).end();
      else {
        response.writeHead(200, { "content-type": TYPES[path.extname(file)] ?? "application/octet-stream" });
        response.end(readFileSync(file));
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new BuiltSite(folder, server);
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Paths of the pages, such as `/docs/guide/index.html`. */
  get pages(): readonly string[] {
    return readdirSync(this.folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".html"))
      .map((file) => `/${file.replaceAll(path.sep, "/")}`)
      .sort();
  }

  read(page: string): string {
    return readFileSync(path.join(this.folder, page), "utf8");
  }

  /** The file that the server answers a path with. */
  fileFor(url: string): string | undefined {
    return fileFor(this.folder, url);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function run(program: string, ...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(ROOT, "node_modules", program), ...args],
    { cwd: ROOT, encoding: "utf8" },
  );
  expect(status, `${stdout}${stderr}`).toBe(0);
}

function fileFor(folder: string, url: string): string | undefined {
  const name = decodeURIComponent(url.replace(/[?#].*$/, ""));
  const candidates = name.endsWith("/")
    ? [`${name}index.html`]
    : [name, `${name}.html`, `${name}/index.html`];
  return candidates
    .map((each) => path.join(folder, each))
    .find((file) => existsSync(file) && statSync(file).isFile());
}
