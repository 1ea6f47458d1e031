/**
 * The guide's code for Next (docs/guide/24-http.md), in a project of its own with the packed packages: built, served, killed
 * and served again, and in a development server whose files change. Next comes from the registry, so `npm run dev -- test:deep`
 * runs it.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client, event } from "@duroxide-ts/core";
import { HttpClient } from "@duroxide-ts/http";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Run, run, start } from "../readme/commands.ts";
import { IS_DEEP } from "../support/effort.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const SOURCE = readFileSync(path.join(ROOT, "examples/guide/24-http.ts"), "utf8");

const SHOP = `import { Client, event, orchestration, Runtime } from "@duroxide-ts/core";
import { http, oncePerProcess } from "@duroxide-ts/http";
import { SqliteProvider } from "@duroxide-ts/sqlite";
const authorize = () => ({ user: "ada", role: "operator" as const });
const checkout = orchestration("checkout", async (ctx, order: { readonly sku: string }) => {
  await ctx.waitForEvent(event("paid", { keep: true }));
  return \`\${order.sku} is paid\`;
});
`;

const paid = event("paid", { keep: true });

/** The part of the region that stands under the name of a file. */
function partOf(file: string): string {
  const region = /\/\/ #region next\n(.*?)\/\/ #endregion/s.exec(SOURCE)?.[1] ?? "";
  const [, part] = region.split(`/** ${file}`);
  const [code = ""] = (part ?? "").split("\n/** ");
  return code
    .slice(code.indexOf("*/") + 2)
    .replaceAll(/^(const|async function) (?!\[GET)/gm, "export $1 ")
    .replaceAll(/^const \[(.*?)\] = \[.*?\];$/gm, (_, names: string) =>
      names
        .split(", ")
        .map((name) => `export const ${name} = route;`)
        .join("\n"),
    );
}

describe.runIf(IS_DEEP)("the guide's code in Next", () => {
  let home: string;
  let project: string;
  let served: Run | undefined;

  beforeAll(async () => {
    home = mkdtempSync(path.join(tmpdir(), "duroxide-next-"));
    project = path.join(home, "shop");
    for (const folder of ["lib", "app/api/[...path]"])
      mkdirSync(path.join(project, folder), { recursive: true });
    const write = (name: string, text: string): void => writeFileSync(path.join(project, name), text);
    write("package.json", '{"name":"shop","private":true}');
    write("next.config.mjs", `export default { turbopack: { root: ${JSON.stringify(project)} } };`);
    write(
      "app/layout.tsx",
      "export default ({ children }: { children: unknown }) => <html><body>{children as never}</body></html>;",
    );
    write("app/page.tsx", "export default () => <p>shop</p>;");
    write("lib/shop.ts", SHOP + partOf("lib/shop.ts"));
    write("instrumentation.ts", `import { shop } from "./lib/shop";\n${partOf("instrumentation.ts")}`);
    write(
      "app/api/[...path]/route.ts",
      `import { shop } from "../../../lib/shop";\nexport const dynamic = "force-dynamic";\n${partOf("app/api/[...path]/route.ts")}`,
    );
    await run(
      `node scripts/run.cjs pack --to ${JSON.stringify(path.join(home, "packed"))} core sqlite http`,
      ROOT,
    );
    const packages =
      "next@16 react@19 react-dom@19 typescript@5 @types/react@19 @types/node@24 ../packed/*.tgz";
    await run(`npm install --no-audit --no-fund --no-offline ${packages}`, project);
    await run("npx next build", project);
  });

  afterAll(() => {
    served?.child.kill("SIGKILL");
    rmSync(home, { recursive: true, force: true });
  });

  /** Serves the project, and returns a client of it. */
  async function serve(mode: "start" | "dev"): Promise<HttpClient> {
    served?.child.kill("SIGKILL");
    await served?.ended;
    const next = start(
      `env STORE_FILE=${mode}.db node node_modules/next/dist/bin/next ${mode} -p 0 -H 127.0.0.1`,
      project,
    );
    served = next;
    const address = () => /http:\/\/127\.0\.0\.1:\d+/.exec(next.lines.join("\n"))?.[0];
    await expect.poll(address, { timeout: 120_000 }).toBeDefined();
    return new HttpClient(`${address()}/api`);
  }

  it("begins the runtime with the server, and goes on after a kill", async () => {
    const client = await serve("start");
    await client.start("checkout", { instanceId: "a", input: { sku: "chair" } });
    const again = await serve("start");
    const handle = again.handle("checkout", "a");
    await expect.poll(async () => (await handle.status()).status, { timeout: 60_000 }).toBe("Running");
    await handle.raise(paid);
    expect(await handle.result()).toBe("chair is paid");
  });

  it("has one runtime in a development server, however often its files change", async () => {
    const client = await serve("dev");
    for (const id of ["b", "c"]) {
      await client.start("checkout", { instanceId: id, input: { sku: id }, raise: [{ event: paid }] });
      expect(await client.handle("checkout", id).result()).toBe(`${id} is paid`);
      const text = readFileSync(path.join(project, "lib/shop.ts"), "utf8");
      writeFileSync(path.join(project, "lib/shop.ts"), `${text}// changed\n`);
    }
    await using provider = await SqliteProvider.open(path.join(project, "dev.db"));
    expect(await new Client(provider).admin.workers()).toHaveLength(1);
  });
});
