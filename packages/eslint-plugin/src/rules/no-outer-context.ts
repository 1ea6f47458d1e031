/** Forbids the context of an outer branch in an inner one, and any context in a step. */
import type { OrchestrationCode } from "../code/orchestration-code.ts";
import type { Zone } from "../code/zone.ts";
import type { Rule, Variable } from "../syntax/eslint.ts";
import { memberName, type Node } from "../syntax/node.ts";
import { isWithin } from "../syntax/tree.ts";
import { isDurable } from "./durable-calls.ts";
import { contextAt, replacement } from "./fixes.ts";
import { defineRule } from "./rule.ts";

export const noOuterContext: Rule = defineRule({
  description: "forbid calls on the context of an outer branch, and calls of a context in a step",
  messages: {
    outer:
      "{{name}} is the context of the code around the branch: the call goes on when the branch has lost. Use {{own}}",
    step: "a step must not call {{name}}: make the call before or after it, or return what the call needs",
  },
  fixable: true,
  check: (code, { report, sourceCode }) => {
    for (const { node, zone } of code.nodes) {
      const variable = node.type === "Identifier" ? code.names.variable(node) : undefined;
      if (variable === undefined || !code.isContext(variable) || !isUsed(node, zone, code)) continue;
      const data = { name: variable.name };
      if (zone.kind === "step") {
        if (!isOwn(variable, zone)) report({ node, messageId: "step", data });
        continue;
      }
      const branch = branchOf(zone);
      if (branch === undefined || branch.context === variable) continue;
      const own = contextAt(node, branch, sourceCode);
      report({
        node,
        messageId: "outer",
        data: { ...data, own: own ?? "the context that the branch gets as its parameter" },
        fix: own === undefined ? null : replacement(node, own),
      });
    }
  },
});

/** The function around the node that has a context of its own. */
function branchOf(zone: Zone): Zone | undefined {
  if (zone.hasOwnContext) return zone;
  return zone.outer === undefined ? undefined : branchOf(zone.outer);
}

/** Whether the context is that of an orchestration which the step itself defines. */
function isOwn({ defs: [definition] }: Variable, { start }: Zone): boolean {
  return definition !== undefined && isWithin(definition.name, start);
}

/** Whether the context makes a call that the zone should not, or is handed to a function. */
function isUsed(node: Node, { kind }: Zone, code: OrchestrationCode): boolean {
  const { parent } = node;
  if (parent?.type === "CallExpression") return parent.arguments.includes(node);
  if (parent?.type !== "MemberExpression" || parent.object !== node) return false;
  if (memberName(parent) === "kv") return kind === "step";
  const call = parent.parent;
  if (call?.type !== "CallExpression" || call.callee !== parent) return false;
  const made = code.contextCall(call);
  return made !== undefined && (isDurable(made) || (kind === "step" && OTHER_CALLS.has(made.method)));
}

/** Calls that are refused in a step; in a branch they do not belong to it. */
const OTHER_CALLS: ReadonlySet<string> = new Set(
  "answer continueAsNew enqueue onCancel raise saga setCustomStatus setTags startOrchestration".split(" "),
);
