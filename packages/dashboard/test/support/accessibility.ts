/** The looks of the page, and what an accessibility checker finds in them. */
import { fileURLToPath } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import { IS_DEEP, SEED } from "../../../../test/support/effort.ts";

export const LOOKS = [
  { scheme: "light", width: 1440 },
  { scheme: "light", width: 390 },
  { scheme: "dark", width: 1440 },
  { scheme: "dark", width: 390 },
] as const;

export type Look = (typeof LOOKS)[number];

/** Each item is seen in one look by the seed, and in every look where the tests run whole. */
export function seenIn<Item>(look: Look, items: readonly Item[]): readonly Item[] {
  return IS_DEEP ? items : items.filter((_, number) => LOOKS[(number + SEED) % LOOKS.length] === look);
}

export function contextOf({ scheme, width }: Look): BrowserContextOptions {
  return {
    colorScheme: scheme,
    // The checker is a script of the test, which the content policy would refuse.
    bypassCSP: true,
    reducedMotion: "reduce",
    viewport: { width, height: 844 },
  };
}

/** Rules for `axe.run`: all, and in the other scheme those that depend on colours. */
const RULES = { light: "{}", dark: '{ runOnly: ["color-contrast", "link-in-text-block"] }' } as const;

const AXE = fileURLToPath(import.meta.resolve("axe-core/axe.min.js"));

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Returns the serious violations, and whether the page is wider than its window. */
export async function faultsOf(page: Page, { scheme }: Look): Promise<readonly string[]> {
  await page.addScriptTag({ path: AXE });
  const violations = (await page.evaluate(
    `axe.run(${RULES[scheme]}).then(({ violations }) => violations)`,
  )) as readonly Violation[];
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const faults = serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
  const isWider = await page.evaluate("document.documentElement.scrollWidth > window.innerWidth");
  return isWider === true ? [...faults, "wider than the window"] : faults;
}
