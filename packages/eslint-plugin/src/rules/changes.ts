/** The places at which code changes a variable, or what it holds. */
import type { Reference, Variable } from "../syntax/eslint.ts";
import { memberName, type Node, unwrapped } from "../syntax/node.ts";

const CHANGING_METHODS: ReadonlySet<string> = new Set(
  "add clear copyWithin delete fill pop push reverse set shift sort splice unshift".split(" "),
);

const COLLECTIONS: ReadonlySet<string> = new Set(["Array", "Map", "Set", "WeakMap", "WeakSet"]);

/** Whether a reference assigns to the variable after its declaration. */
export function isAssigned(reference: Reference): boolean {
  return reference.isWrite() && reference.init !== true;
}

/** Whether a reference changes what the variable holds: a member, or the content of a collection that it was made with. */
export function isChanged({ identifier }: Reference, variable: Variable): boolean {
  let member = identifier;
  while (member.parent?.type === "MemberExpression" && member.parent.object === member) {
    const outer: Node = member.parent;
    if (isTarget(outer)) return true;
    if (isChangingCall(outer)) return isCollection(variable) || member !== identifier;
    member = outer;
  }
  return false;
}

/** Whether the variable was made with a list, a map, a set or an object. */
export function isCollection({ defs: [definition] }: Variable): boolean {
  if (definition?.node.type !== "VariableDeclarator" || definition.node.init === null) return false;
  const init = unwrapped(definition.node.init);
  if (init.type === "ArrayExpression" || init.type === "ObjectExpression") return true;
  return (
    init.type === "NewExpression" && init.callee.type === "Identifier" && COLLECTIONS.has(init.callee.name)
  );
}

function isTarget(member: Node): boolean {
  const { parent } = member;
  if (parent?.type === "AssignmentExpression") return parent.left === member;
  return (
    parent?.type === "UpdateExpression" ||
    (parent?.type === "UnaryExpression" && parent.operator === "delete")
  );
}

function isChangingCall(member: Node): boolean {
  if (member.type !== "MemberExpression" || member.parent?.type !== "CallExpression") return false;
  return member.parent.callee === member && CHANGING_METHODS.has(memberName(member) ?? "");
}
