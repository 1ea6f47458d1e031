/** The check of rules that forbid calls of things outside the orchestration, by a table. */
import type { OrchestrationCode } from "../code/orchestration-code.ts";
import type { Call, Node } from "../syntax/node.ts";
import { contextAt, replacement, waitingWord } from "./fixes.ts";
import type { RuleFile } from "./rule.ts";

/** A call that orchestration code must not make. */
export interface ForbiddenCall {
  /** Module without `node:`, or "global". */
  readonly from: string;
  /** Pattern of the whole path in it. */
  readonly path: RegExp;
  /** Text that says what to use instead. */
  readonly instead: string;
  /** Whether it is a delay, whose time begins again at every replay. */
  readonly isDelay?: boolean;
  /** Whether `ctx.deterministic` answers it. */
  readonly isAnswered?: boolean;
  /** Only a call without arguments. */
  readonly isWithoutArgument?: boolean;
  /** Text that takes its place, and whether it means the same. */
  readonly replacement?: { readonly text: (context: string) => string; readonly isSafe: boolean };
}

export const MESSAGES = {
  differs: "{{call}} in orchestration code differs at every replay; use {{instead}} instead",
  beginsAgain: "{{call}} in orchestration code begins again at every replay; use {{instead}} instead",
  replace: "Replace it by {{text}}",
} as const;

type Message = keyof typeof MESSAGES;

/** Reports the calls of a table in orchestration code. */
export function checkCalls(
  code: OrchestrationCode,
  file: RuleFile<Message>,
  table: readonly ForbiddenCall[],
): void {
  for (const { node, zone } of code.nodes) {
    if (zone.kind === "step" || (node.type !== "CallExpression" && node.type !== "NewExpression")) continue;
    const forbidden = find(code, node, table);
    if (forbidden === undefined || (zone.kind === "answered" && forbidden.isAnswered === true)) continue;
    const context = contextAt(node, zone, file.sourceCode);
    // A generator waits with another word.
    const instead =
      waitingWord(node) === "yield" ? forbidden.instead.replaceAll("await ", "yield ") : forbidden.instead;
    file.report({
      node,
      messageId: forbidden.isDelay === true ? "beginsAgain" : "differs",
      data: { call: shown(node, file), instead },
      ...change(node, forbidden, context),
    });
  }
}

function find(
  code: OrchestrationCode,
  node: Call,
  table: readonly ForbiddenCall[],
): ForbiddenCall | undefined {
  const outside = code.names.outside(node.callee);
  if (outside === undefined) return undefined;
  return table.find(
    ({ from, path, isWithoutArgument }) =>
      from === outside.from &&
      path.test(`${node.type === "NewExpression" ? "new " : ""}${outside.path}`) &&
      !(isWithoutArgument === true && node.arguments.length > 0),
  );
}

function shown({ type, callee }: Call, { sourceCode }: RuleFile<Message>): string {
  return `${type === "NewExpression" ? "new " : ""}${sourceCode.getText(callee)}()`;
}

function change(node: Node, { replacement: other }: ForbiddenCall, context: string | undefined) {
  if (other === undefined || context === undefined) return {};
  const written = other.text(context);
  const needsAwait = written.startsWith("await ");
  if (needsAwait && waitingWord(node) !== "await") return {};
  const text = needsAwait && node.parent?.type !== "VariableDeclarator" ? `(${written})` : written;
  if (other.isSafe) return { fix: replacement(node, text) };
  return { suggest: [{ messageId: "replace", data: { text }, fix: replacement(node, text) }] };
}
