/** The linter's plugin in a configuration of one's own, and its rules one by one. */
import duroxide, { type RecommendedConfig, type Rule } from "@duroxide-ts/eslint-plugin";

export const config: readonly object[] = [
  duroxide.configs.recommended,
  { rules: { "duroxide/no-io": "off" } },
];

export function describeRule({ meta, create }: Rule): string {
  return `${meta.docs.description} (${create.length} argument)`;
}

export function describeConfig({ name, plugins, rules }: RecommendedConfig): string {
  return `${name}: ${Object.keys(rules).length} of ${Object.keys(plugins.duroxide.rules).length} rules`;
}
