/**
 * ESLint rules for durable orchestrations. ESLint and oxlint take a plugin as the default export of its package.
 *
 * @module @duroxide-ts/eslint-plugin
 */
import { noCapturedWrites } from "./rules/no-captured-writes.ts";
import { noClock } from "./rules/no-clock.ts";
import { noEnvironment } from "./rules/no-environment.ts";
import { noFloatingCalls } from "./rules/no-floating-calls.ts";
import { noIo } from "./rules/no-io.ts";
import { noModuleState } from "./rules/no-module-state.ts";
import { noOuterContext } from "./rules/no-outer-context.ts";
import { noRandom } from "./rules/no-random.ts";
import { noUnstorableValues } from "./rules/no-unstorable-values.ts";
import type { Rule } from "./syntax/eslint.ts";

export type { Rule } from "./syntax/eslint.ts";

/** A flat config with all rules as errors. */
export interface RecommendedConfig {
  readonly name: string;
  readonly plugins: { readonly duroxide: Plugin };
  readonly rules: Record<string, "error">;
}

/** The plugin, as ESLint 9 and later and oxlint take it. */
export interface Plugin {
  readonly meta: { readonly name: string; readonly version: string };
  readonly rules: Record<string, Rule>;
  readonly configs: { readonly recommended: RecommendedConfig };
}

const RULES = {
  "no-captured-writes": noCapturedWrites,
  "no-clock": noClock,
  "no-environment": noEnvironment,
  "no-floating-calls": noFloatingCalls,
  "no-io": noIo,
  "no-module-state": noModuleState,
  "no-outer-context": noOuterContext,
  "no-random": noRandom,
  "no-unstorable-values": noUnstorableValues,
};

/** Rules, and the configuration `recommended`, for `plugins` of an ESLint or oxlint configuration. */
const plugin: Plugin = {
  meta: { name: "@duroxide-ts/eslint-plugin", version: "0.1.0" },
  rules: RULES,
  configs: {
    get recommended() {
      return RECOMMENDED;
    },
  },
};

const RECOMMENDED: RecommendedConfig = {
  name: "duroxide/recommended",
  plugins: { duroxide: plugin },
  rules: Object.fromEntries(Object.keys(RULES).map((name) => [`duroxide/${name}`, "error" as const])),
};

export { plugin as default };
