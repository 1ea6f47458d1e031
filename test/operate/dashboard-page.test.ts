/** The programs of docs/operate/dashboard.md compile, its routes and metrics exist, and its rules and board name metrics that do. */
import { expect, it } from "vitest";
import { compile } from "../support/compile.ts";
import { read } from "../tidy/repository.ts";

/** Names that the programs use without a definition of their own. */
const GIVEN = `
import { type AnyOrchestration, type AnyActivity, type Provider, Runtime } from "@duroxide-ts/core";
import type { TestEnvironment } from "@duroxide-ts/core/testing";
import {
  type DashboardHandler, dashboard, healthHandler, metricsHandler, PrometheusMeter, startDashboard, toNodeHandler,
} from "@duroxide-ts/dashboard";

declare const provider: Provider;
declare const env: TestEnvironment;
declare const orchestrations: readonly AnyOrchestration[];
declare const activities: readonly AnyActivity[];
declare function sessionOf(request: Request): Promise<{ email: string; groups: string[] } | undefined>;
`;

const PAGE = "docs/operate/dashboard.md";

it("every program of the page compiles", () => {
  const programs = [...read(PAGE).matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
  const needed = (code: string, name: string): boolean => !new RegExp(`const ${name}\\b`).test(code);
  const texts = programs.map((code) =>
    [
      GIVEN,
      needed(code, "handler") ? "declare const handler: DashboardHandler;" : "",
      needed(code, "authorize") ? 'declare const authorize: () => { user: string; role: "viewer" };' : "",
      code,
      "export {};",
    ].join("\n"),
  );
  const faults = compile(texts, { allowUnused: true }).map((findings, index) => ({
    program: programs[index],
    findings,
  }));
  expect(faults.filter(({ findings }) => findings.length > 0)).toEqual([]);
  expect(programs.length).toBeGreaterThan(8);
});

it("the board and the rules use metrics that exist", () => {
  const known = [read("docs/observability.md"), read(PAGE)].join();
  for (const file of ["docs/operate/grafana.json", "docs/operate/alerts.yml"]) {
    const named = [...read(file).matchAll(/\bduroxide_[a-z_]+/g)].map(([name]) =>
      name.replace(/_bucket$/, ""),
    );
    expect(new Set(named.filter((name) => !known.includes(`\`${name}\``)))).toEqual(new Set());
    expect(named.length).toBeGreaterThan(5);
  }
  expect(read("docs/operate/alerts.yml").match(/- alert:/g)).toHaveLength(6);
});
