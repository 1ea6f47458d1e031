/** Forbids durable calls that nobody awaits: they are dropped when the handler ends. */

import type { OrchestrationCode } from "../code/orchestration-code.ts";
import { functionOf } from "../code/starts.ts";
import type { Rule } from "../syntax/eslint.ts";
import { type Call, memberName, type Node } from "../syntax/node.ts";
import { isDurable } from "./durable-calls.ts";
import { waitingWord } from "./fixes.ts";
import { defineRule } from "./rule.ts";

export const noFloatingCalls: Rule = defineRule({
  description: "require that durable calls are awaited",
  messages: {
    floating: "nobody awaits {{call}}: it is dropped when the handler ends, and its failure is lost",
    continues: "{{call}} must be returned: return {{call}}",
    add: "Add {{word}}",
  },
  check: (code, { report, sourceCode }) => {
    for (const { node, zone } of code.nodes) {
      if (node.type !== "CallExpression" || zone.kind === "step") continue;
      const continues = code.contextCall(node)?.method === "continueAsNew";
      if (!continues && !isAwaitable(node, code)) continue;
      const statement = floatsAt(node, code);
      if (statement === undefined) continue;
      const call = `${sourceCode.getText(node.callee)}(…)`;
      const word = continues ? "return" : waitingWord(node);
      const isStatement = statement.parent?.type === "ExpressionStatement";
      report({
        node,
        messageId: continues ? "continues" : "floating",
        data: { call },
        suggest:
          word === undefined || !isStatement
            ? []
            : [
                {
                  messageId: "add",
                  data: { word },
                  fix: (fixer) => fixer.insertTextBefore(statement, `${word} `),
                },
              ],
      });
    }
  },
});

/** Whether a call is durable, or one of an async function of the file that gets the context. */
function isAwaitable(node: Call, code: OrchestrationCode): boolean {
  const made = code.contextCall(node);
  if (made !== undefined) return isDurable(made);
  return code.contextAt(node) >= 0 && functionOf(node.callee, code.names)?.async === true;
}

/** The expression at which the result of a call is lost; undefined where something takes it. */
function floatsAt(node: Node, code: OrchestrationCode): Node | undefined {
  const { parent } = node;
  switch (parent?.type) {
    case "ExpressionStatement":
      return node;
    case "ChainExpression":
      return floatsAt(parent, code);
    case "MemberExpression":
      return isPromiseMethod(parent) && parent.parent ? floatsAt(parent.parent, code) : undefined;
    case "ArrowFunctionExpression":
      return parent.body === node && isForEach(parent.parent) ? node : undefined;
    case "VariableDeclarator": {
      const variable = parent.init === node ? code.names.declared(parent.id) : undefined;
      const isUnused = variable?.references.every((each) => !each.isRead()) === true;
      return isUnused && variable.scope.type !== "module" ? node : undefined;
    }
    default:
      return undefined;
  }
}

function isPromiseMethod(member: Node): boolean {
  if (member.type !== "MemberExpression" || member.parent?.type !== "CallExpression") return false;
  return ["then", "catch", "finally"].includes(memberName(member) ?? "");
}

function isForEach(call: Node | undefined): boolean {
  return (
    call?.type === "CallExpression" &&
    call.callee.type === "MemberExpression" &&
    memberName(call.callee) === "forEach"
  );
}
