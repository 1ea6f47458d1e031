/**
 * The sidebar of the site: the folders of the documentation, each page under its own first heading. Every page of the
 * site is in it (test/tidy/sidebar.test.ts).
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { DefaultTheme } from "vitepress";

/** Headings and pages about Cosmos DB, in the order in which readers need them. */
const COSMOS: readonly (readonly [string, string])[] = [
  ["Set-up", "set-up"],
  ["What it costs, calculator", "costs"],
  ["Operating", "operating"],
  ["Queries", "queries"],
  ["Checking an account", "azure-check"],
  ["Sharing the work", "sharing-work"],
  ["How it is safe", "how-it-is-safe"],
  ["Together with Rust", "with-rust"],
];

const PACKAGES: readonly string[] = [
  "core",
  "sqlite",
  "cosmos",
  "cosmos-emulator",
  "dashboard",
  "http",
  "cli",
  "ai",
  "create",
  "eslint-plugin",
  "provider-tests",
];

type Item = DefaultTheme.SidebarItem;

export function sidebar(root: string): Item[] {
  const page = (file: string): Item => ({ text: headingOf(path.join(root, file)), link: `/${linkOf(file)}` });
  const overview = (folder: string): Item => ({ text: "Overview", link: `/${folder}/` });
  const folder = (name: string): Item[] =>
    readdirSync(path.join(root, name))
      .filter((file) => file.endsWith(".md") && file !== "README.md")
      .sort()
      .map((file) => page(`${name}/${file}`));
  const cosmos = COSMOS.map(([text, name]): Item => ({ text, link: `/docs/cosmos/${name}.html` }));
  return [
    {
      text: "Start",
      items: [
        { text: "First program", link: "/" },
        page("docs/fifteen-commands.md"),
        page("docs/tutorial.md"),
        page("docs/coming-from.md"),
        page("docs/not-there-yet.md"),
        page("ARCHITECTURE.md"),
        page("examples/README.md"),
        page("docs/skill/SKILL.md"),
      ],
    },
    { text: "Guide", items: [overview("docs/guide"), ...folder("docs/guide")] },
    { text: "Recipes", items: [overview("docs/recipes"), ...folder("docs/recipes")] },
    {
      text: "In operation",
      items: [
        page("docs/guarantees.md"),
        page("docs/reliability.md"),
        page("docs/observability.md"),
        page("docs/errors.md"),
        page("docs/what-you-see-when.md"),
        page("docs/testing.md"),
        page("docs/security.md"),
      ],
    },
    {
      text: "Dashboard and command line",
      items: [
        page("docs/operate/dashboard.md"),
        page("docs/operate/going-to-production.md"),
        page("docs/operate/command-line.md"),
        page("docs/operate/verbs.md"),
        page("docs/operate/changes-by-hand.md"),
      ],
    },
    {
      text: "Cosmos DB",
      items: [overview("docs/cosmos"), ...cosmos, page("docs/document-leases.md")],
    },
    {
      text: "Benchmarks",
      collapsed: true,
      items: [
        overview("benchmarks"),
        page("benchmarks/results/README.md"),
        page("benchmarks/document-leases.md"),
      ],
    },
    {
      text: "Packages",
      collapsed: true,
      items: [
        ...PACKAGES.map((name) => page(`packages/${name}/README.md`)),
        ...["core", "sqlite", "cosmos"].map((name) => page(`packages/${name}/ARCHITECTURE.md`)),
      ],
    },
    {
      text: "Reference",
      collapsed: true,
      items: [
        overview("docs/reference"),
        ...folder("docs/reference"),
        ...folder("docs/reference/upstream"),
        { text: "Conformance of the local endpoint", link: "/packages/cosmos-emulator/CONFORMANCE.html" },
      ],
    },
    {
      text: "Decisions",
      collapsed: true,
      items: [overview("docs/decisions"), ...folder("docs/decisions")],
    },
    {
      text: "Project",
      collapsed: true,
      items: [page("CONTRIBUTING.md"), page("CHANGELOG.md"), page("SECURITY.md")],
    },
  ];
}

function headingOf(file: string): string {
  return (
    /^# (.+)$/m
      .exec(readFileSync(file, "utf8"))?.[1]
      ?.replace(/^Cosmos DB: /, "")
      .replaceAll("`", "") ?? path.basename(file)
  );
}

function linkOf(file: string): string {
  return file.replace(/README\.md$/, "").replace(/\.md$/, ".html");
}
