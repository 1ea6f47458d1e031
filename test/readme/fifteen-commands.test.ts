/**
 * The page of fifteen commands (docs/fifteen-commands.md), from an empty folder and with packed packages in place of the
 * published names. What the packages depend on comes from the registry, so `npm run dev -- test:deep` runs it.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { IS_DEEP } from "../support/effort.ts";
import { read } from "../tidy/repository.ts";
import { type Run, run, start } from "./commands.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const COMMANDS = Array.from(
  read("docs/fifteen-commands.md").matchAll(/```sh\n(.*?)```/gs),
  ([, block = ""]) => block.trim().split("\n"),
).flat();

const DASHBOARD = "npx duroxide dashboard";
/** The same without npx, which a kill would not pass on, and on a port of its own. */
const SERVED = "node node_modules/@duroxide-ts/cli/dist/main.js dashboard --port 0";

it("the page of fifteen commands has fifteen", () => expect(COMMANDS).toHaveLength(15));

describe.runIf(IS_DEEP)("fifteen commands", () => {
  let home: string;
  const said = new Map<string, string>();
  let dashboard: Run | undefined;

  /** The command with files for the names of packages, in the folder and with the variables of those before it. */
  function inReach(command: string, packed: string): string {
    const fileOf = (name: string): string =>
      JSON.stringify(
        path.join(packed, readdirSync(packed).find((it) => it.startsWith(`duroxide-ts-${name}-0`)) ?? ""),
      );
    if (command.startsWith("npm create @duroxide-ts ")) {
      const args = command.slice("npm create @duroxide-ts ".length).replace(" --", "");
      return `npm exec --yes --offline=false --package ${fileOf("create")} -- create-duroxide-ts ${args} --packages ${JSON.stringify(packed)}`;
    }
    // What a package needs of the others is not published either.
    const others = ["core", "sqlite", "http"].map(fileOf).join(" ");
    const named = command.replaceAll(/@duroxide-ts\/([\w-]+)/g, (_, name: string) => fileOf(name));
    return command.startsWith("npm install") ? `${named} ${others} --offline=false` : named;
  }

  beforeAll(async () => {
    home = mkdtempSync(path.join(tmpdir(), "duroxide-fifteen-"));
    const packed = path.join(home, "packed");
    await run(`node scripts/run.cjs pack --to ${JSON.stringify(packed)}`, ROOT);
    let folder = home;
    const variables: string[] = ["npm_config_offline=false"];
    for (const command of COMMANDS) {
      if (command.startsWith("cd ")) folder = path.join(folder, command.slice(3));
      else if (command.startsWith("export ")) variables.push(command.slice(7));
      else {
        const line = `env ${variables.join(" ")} sh -c ${quoted(inReach(command, packed))}`;
        if (command === DASHBOARD) dashboard = start(`env ${variables.join(" ")} ${SERVED}`, folder);
        else said.set(command, (await run(line, folder)).lines.join("\n"));
      }
    }
  });

  afterAll(() => {
    dashboard?.child.kill("SIGKILL");
    rmSync(home, { recursive: true, force: true });
  });

  const outputOf = (part: string): string =>
    [...said].find(([command]) => command.includes(part))?.[1] ?? `no command has ${part}`;

  it("run a workflow, kill it and go on", () => {
    expect(outputOf("npm start")).toContain("shipping order-1");
    expect(outputOf("npm run crash").match(/charging/g)).toHaveLength(1);
    expect(outputOf("npm run crash")).toContain("shipping");
  });

  it("test it in virtual time", () => expect(outputOf("npm test")).toMatch(/pass [1-9]\d*\n/));

  it("show it in the command line", () => {
    expect(outputOf("duroxide list")).toMatch(/order-1 +checkout.* +completed/);
    expect(outputOf("duroxide show")).toContain("receipt for");
  });

  it("limit and schedule it", () => {
    expect(outputOf("limits set")).toContain("bank");
    expect(outputOf("schedules next")).toMatch(/:00:00/);
    expect(outputOf("npm start -- order-2")).toContain("shipping order-2");
  });

  it("show it in a page", async () => {
    const address = () => /http:\/\/127\.0\.0\.1:\d+\S*/.exec(dashboard?.lines.join("\n") ?? "")?.[0];
    await expect.poll(address, { timeout: 60_000 }).toBeDefined();
    const signedIn = await fetch(address() ?? "");
    const [cookie = ""] = signedIn.headers.getSetCookie();
    const shown = await fetch(new URL("/api/instances", address()), { headers: { cookie } });
    expect(await shown.text()).toContain('"order-2"');
  });
});

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
