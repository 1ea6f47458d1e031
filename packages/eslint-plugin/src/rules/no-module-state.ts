/** Forbids module variables that change: another process has other values, and so has this one at the next replay. */
import { functionAround, type Reference, type Rule, type Variable } from "../syntax/eslint.ts";
import { isAssigned, isChanged, isCollection } from "./changes.ts";
import { defineRule } from "./rule.ts";

const OUTER_SCOPES: ReadonlySet<string> = new Set(["module", "global"]);

export const noModuleState: Rule = defineRule({
  description: "forbid module variables that change in orchestration code",
  messages: {
    written:
      "{{name}} is a variable of the module: every replay changes it again, and other processes do not see it; use a variable of the handler, an entry of ctx.kv or an activity",
    read: "{{name}} is a variable of the module that changes, so a replay may see another value; take it from the input, from an entry of ctx.kv or from an activity",
  },
  check: (code, { report }) => {
    for (const { node, zone } of code.nodes) {
      const reference = node.type === "Identifier" ? code.names.reference(node) : undefined;
      const variable = reference?.resolved;
      if (zone.kind === "step" || reference === undefined || !variable || !isOfModule(variable)) continue;
      const data = { name: variable.name };
      if (isAssigned(reference) || isChanged(reference, variable)) {
        report({ node, messageId: "written", data });
      } else if (changesLater(variable)) {
        report({ node, messageId: "read", data });
      }
    }
  },
});

function isOfModule({ scope, defs: [definition] }: Variable): boolean {
  if (definition === undefined || !OUTER_SCOPES.has(scope.type)) return false;
  return definition.type === "Variable" || definition.type === "ImportBinding";
}

/** Whether a function of the file changes it; what the module does while it loads has happened before any handler runs. */
function changesLater(variable: Variable): boolean {
  const isLater = ({ identifier }: Reference): boolean => functionAround(identifier) !== undefined;
  return variable.references.some(
    (each) => isLater(each) && (isAssigned(each) || (isCollection(variable) && isChanged(each, variable))),
  );
}
