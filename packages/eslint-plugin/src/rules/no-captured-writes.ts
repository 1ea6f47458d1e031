/** Forbids that a step writes to variables of its orchestration: a replay does not run the step, and has not the value. */
import type { Zone } from "../code/zone.ts";
import type { Rule, Variable } from "../syntax/eslint.ts";
import { isWithin } from "../syntax/tree.ts";
import { isAssigned, isChanged } from "./changes.ts";
import { defineRule } from "./rule.ts";

export const noCapturedWrites: Rule = defineRule({
  description: "forbid that a step writes to variables of its orchestration",
  messages: {
    written:
      "the step writes to {{name}}, a variable of the orchestration; a replay does not run the step, and then the value is missing. Return it from the step",
  },
  check: (code, { report }) => {
    for (const { node, zone } of code.nodes) {
      const reference = node.type === "Identifier" ? code.names.reference(node) : undefined;
      const variable = reference?.resolved;
      if (zone.kind !== "step" || reference === undefined || !variable) continue;
      if (!isCaptured(variable, zone) || code.isContext(variable)) continue;
      if (isAssigned(reference) || isChanged(reference, variable)) {
        report({ node, messageId: "written", data: { name: variable.name } });
      }
    }
  },
});

/** Whether the variable belongs to the orchestration around the step. */
function isCaptured({ defs: [definition] }: Variable, { start, outer }: Zone): boolean {
  if (definition === undefined || isWithin(definition.name, start)) return false;
  let root = outer;
  while (root?.outer !== undefined) root = root.outer;
  return root !== undefined && isWithin(definition.name, root.start);
}
