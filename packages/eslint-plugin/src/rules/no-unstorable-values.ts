/** Forbids inputs and messages that JSON does not carry. What handlers return, the types of the package check. */

import type { OrchestrationCode } from "../code/orchestration-code.ts";
import { functionOf } from "../code/starts.ts";
import type { ContextCall } from "../code/zone.ts";
import type { Rule } from "../syntax/eslint.ts";
import { type Call, isFunction, type Node, propertyName, unwrapped } from "../syntax/node.ts";
import { defineRule, type RuleFile } from "./rule.ts";
import { faultsOf } from "./stored-types.ts";

type Message = "lost" | "date" | "value";

export const noUnstorableValues: Rule = defineRule({
  description: "forbid inputs and messages that JSON does not carry",
  messages: {
    lost: "{{type}} is not carried by JSON; use a list, an object, a number or a string",
    date: "the handler gets this Date as a string; declare it as a string, or give the definition a schema that makes a Date of it",
    value: "JSON does not carry this value; pass a list, an object, a number or a string",
  },
  check: (code, file) => {
    for (const node of code.all) {
      if (node.type === "CallExpression") checkDefinition(node, code, file);
    }
    for (const { node, zone } of code.nodes) {
      const made =
        node.type === "CallExpression" && zone.kind !== "step" ? code.contextCall(node) : undefined;
      if (node.type !== "CallExpression" || made === undefined) continue;
      for (const value of storedArguments(node, made).flatMap(unstorableIn)) {
        file.report({ node: value, messageId: "value" });
      }
    }
  },
});

const MESSAGE_DEFINITIONS: readonly string[] = ["event", "key", "question", "queue", "stream"];

function checkDefinition(call: Call, { names }: OrchestrationCode, file: RuleFile<Message>): void {
  const report = (type: Node, isInput: boolean): void => {
    for (const { node, kind } of faultsOf(type, names)) {
      // What waits and readers get of a message has the type of its JSON.
      if (kind === "date" && !isInput) continue;
      file.report({ node, messageId: kind, data: { type: file.sourceCode.getText(node) } });
    }
  };
  if (MESSAGE_DEFINITIONS.some((name) => names.isOfCore(call.callee, name))) {
    for (const type of call.typeArguments?.params ?? []) report(type, false);
  }
  if (!["activity", "orchestration"].some((name) => names.isOfCore(call.callee, name))) return;
  if (call.arguments.slice(1).some(hasInputSchema)) return;
  const last = call.arguments.at(-1);
  const input = (last && functionOf(last, names))?.params[1];
  const annotated = input?.type === "Identifier" || input?.type === "ObjectPattern" ? input : undefined;
  const annotation = (
    annotated as { readonly typeAnnotation?: { readonly typeAnnotation: Node } } | undefined
  )?.typeAnnotation;
  if (annotation !== undefined) report(annotation.typeAnnotation, true);
}

function hasInputSchema(options: Node): boolean {
  if (isFunction(options)) return false;
  if (options.type !== "ObjectExpression") return options.type === "Identifier";
  return options.properties.some((each) => each.type !== "Property" || propertyName(each) === "input");
}

/** Positions of what is stored, by call. */
const STORED: ReadonlyMap<string, number> = new Map([
  ["scheduleActivity", 1],
  ["scheduleSubOrchestration", 1],
  ["schedule", 1],
  ["continueAsNew", 1],
  ["raise", 2],
  ["enqueue", 2],
  ["setCustomStatus", 0],
]);

function storedArguments({ arguments: args }: Call, { method }: ContextCall): Node[] {
  const at = STORED.get(method);
  const value = at === undefined ? undefined : args[at];
  return value === undefined ? [] : [value];
}

const UNSTORABLE = /^(Map|Set|WeakMap|WeakSet|Promise|ArrayBuffer|DataView|\w+Array)$/;

function unstorableIn(given: Node): Node[] {
  const value = unwrapped(given);
  switch (value.type) {
    case "ArrowFunctionExpression":
    case "FunctionExpression":
      return [value];
    case "Literal":
      return value.bigint !== undefined || value.regex !== undefined ? [value] : [];
    case "NewExpression":
      return value.callee.type === "Identifier" && UNSTORABLE.test(value.callee.name) ? [value] : [];
    case "ArrayExpression":
      return value.elements.flatMap((each) => (each === null ? [] : unstorableIn(each)));
    case "ObjectExpression":
      return value.properties.flatMap((each) =>
        each.type === "Property" && each.value ? unstorableIn(each.value) : [],
      );
    default:
      return [];
  }
}
