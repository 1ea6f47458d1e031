/** A secret in every place of a store: where the configuration has `redact`, no tool of `duroxide mcp` shows or finds it. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { fillWithSecrets, INSTANCES, PROSE, SECRET } from "../../../../test/support/secrets.ts";
import { READING_TOOLS } from "../../src/mcp/reading-tools.ts";
import { onEachStore } from "../support/desk.ts";

const REDACTIONS = [
  ["members by name", '(path, value) => (/\\.card$/.test(path) ? "•••" : value)', [SECRET]],
  [
    "every place",
    '(path, value) => (/^(input|result|output|status|kv\\.|stream\\.|progress\\.|event\\.|queue\\.|error\\.message|error\\.stack)/.test(path) ? "•••" : value)',
    [SECRET, PROSE],
  ],
  ["nothing, because it throws", '() => { throw new Error("no rules"); }', [SECRET, PROSE]],
  ["nothing, because it returns nothing", "() => {}", [SECRET, PROSE]],
] as const;

/** Tools that read the store, with their arguments. */
const CALLS: readonly (readonly [string, object])[] = READING_TOOLS.flatMap(({ name, required = [] }) => {
  if (name === "search_docs") return [];
  if (required.includes("name")) return [[name, { name: "secret" }] as const];
  return required.includes("id")
    ? [...INSTANCES, "schedule:secret"].map((id): [string, object] => [
        name,
        { id, ...(required.includes("stream") && { stream: "shown" }) },
      ])
    : [[name, {}] as const];
});

describe("an agent", () => {
  onEachStore(
    (desk) => {
      beforeAll(() => fillWithSecrets(desk().provider));

      let configs = 0;
      const answers = async (source: string, calls = CALLS, more: string[] = []): Promise<string[]> => {
        // A module is loaded once for each name.
        const config = path.join(desk().folder, `redact-${++configs}.config.mjs`);
        await writeFile(config, source);
        const lines = calls.map(([name, given], id) =>
          JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: given } }),
        );
        const words = ["mcp", "--config", config, ...more];
        const { stdout } = await desk().cli(words, { stdin: `${lines.join("\n")}\n` });
        return stdout.trim().split("\n");
      };

      it("without redact sees them", async () => {
        const all = (await answers("")).join("\n");
        for (const place of [
          "input",
          "entry",
          "quoted",
          "json-in-json",
          "carried",
          "stream",
          "stream-of-activity",
          "progress",
          "property-alone",
          "schedule",
        ])
          expect(all).toContain(`S3CRET-${place}`);
        expect(all).toContain("PR0SE-suspend");
      });

      it.each(REDACTIONS)("with a redact of %s sees none", async (_what, redact, secrets) => {
        const lines = await answers(`export const redact = ${redact};\n`);
        expect(lines).toHaveLength(CALLS.length);
        for (const [n, line] of lines.entries()) {
          expect(line).not.toContain('"isError":true');
          for (const secret of secrets) expect([CALLS[n], line.match(secret)]).toEqual([CALLS[n], null]);
        }
      });

      it("with a redact is not told why an instance that it asks is suspended", async () => {
        const calls = [["ask", { id: "suspended", question: "q" }] as const];
        const [plain = ""] = await answers("", calls, ["--allow-write"]);
        expect(plain).toContain("PR0SE-suspend");
        const [line = ""] = await answers('export const redact = () => "•••";\n', calls, ["--allow-write"]);
        expect([line.includes("is suspended"), line.match(PROSE)]).toEqual([true, null]);
      });

      it("with a redact finds none by the text of messages", async () => {
        const calls = ["list_instances", "count_instances"].map(
          (name) => [name, { errorContains: "PR0SE" }] as const,
        );
        for (const line of await answers("export const redact = (_path, value) => value;\n", calls))
          expect(line).toContain('"isError":true');
      });

      it.each(["/card/", "null", '"card"'])(
        "is not served where redact is %s and no function",
        async (redact) => {
          const config = path.join(desk().folder, "no-function.config.mjs");
          await writeFile(config, `export const dashboard = { redact: ${redact} };\n`);
          const { code, stdout } = await desk().cli(["mcp", "--config", config], { stdin: "" });
          expect([code === 0, stdout]).toEqual([false, ""]);
        },
      );
    },
    { empty: true },
  );
});
