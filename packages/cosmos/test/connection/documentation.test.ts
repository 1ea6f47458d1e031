/** Checks that the code does what the pages say. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { indexingPolicy } from "../../src/connection/container-definition.ts";
import { optionsFromEnvironment } from "../../src/connection/environment.ts";
import { toSettings } from "../../src/connection/options.ts";

const read = (name: string): string =>
  readFileSync(path.resolve(import.meta.dirname, "../../../..", name), "utf8");

it("docs/cosmos/indexing-policy.json is the policy with which containers are created", () => {
  expect(JSON.parse(read("docs/cosmos/indexing-policy.json"))).toEqual(indexingPolicy());
});

it("docs/cosmos/set-up.md lists every option", () => {
  const [, table = ""] = read("docs/cosmos/set-up.md").split("## Configuration");
  const rows = [...table.matchAll(/^\| (`[^|]+) \|/gm)].map((row) => row[1] ?? "");
  const listed = rows.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map((name) => name[1]));
  const { access: _, ...settings } = toSettings({ endpoint: "https://x.example", key: "AAAA" });
  expect(listed.sort()).toEqual([...Object.keys(settings), "connectionString", "credential", "key"].sort());
});

it(".env.example names every variable that is read, and no other", () => {
  const named = [...read(".env.example").matchAll(/^(\w+)=/gm)].map((variable) => variable[1] ?? "");
  const readOnes = new Set<string>();
  const watched = new Proxy<Record<string, string>>(
    {},
    {
      get(_, name) {
        readOnes.add(String(name));
        return undefined;
      },
    },
  );
  optionsFromEnvironment(watched);
  expect(named.sort()).toEqual([...readOnes].sort());
});
