/** Forbids what differs between processes and deployments. */

import type { Rule } from "../syntax/eslint.ts";
import type { OutsideName } from "../syntax/names.ts";
import type { Node } from "../syntax/node.ts";
import { defineRule } from "./rule.ts";

const OF_PROCESS =
  /^(arch|argv|argv0|cpuUsage|cwd|env|execArgv|execPath|memoryUsage|pid|platform|ppid|resourceUsage|title|version|versions)$/;
const OF_GLOBALS =
  /^((Deno|Bun)\.(env|version|args|argv)|navigator\.(language|languages|hardwareConcurrency|userAgent))$/;

export const noEnvironment: Rule = defineRule({
  description: "forbid environment variables and facts about the process in orchestration code",
  messages: {
    differs:
      "{{name}} in orchestration code differs between processes; take it from the input, or from an activity that reads it",
  },
  check: (code, { report, sourceCode }) => {
    for (const { node, zone } of code.nodes) {
      if (zone.kind === "step" || !isEnvironment(node, code.names.outside(node))) continue;
      report({ node, messageId: "differs", data: { name: sourceCode.getText(node) } });
    }
  },
});

function isEnvironment(node: Node, outside: OutsideName | undefined): boolean {
  if (node.type !== "Identifier" && node.type !== "MemberExpression") return false;
  if (outside === undefined) return isImportMetaEnv(node);
  const { from, path } = outside;
  if (from === "process") return OF_PROCESS.test(path);
  if (from === "os") return path !== "" && !path.includes(".") && path !== "EOL";
  if (from !== "global") return false;
  return (
    OF_GLOBALS.test(path) || (path.startsWith("process.") && OF_PROCESS.test(path.slice("process.".length)))
  );
}

function isImportMetaEnv(node: Node): boolean {
  if (node.type !== "MemberExpression" || node.property.type !== "Identifier") return false;
  return (node.object.type as string) === "MetaProperty" && node.property.name === "env";
}
