/** The nodes of the tree that the rules look at, as ESTree and typescript-eslint name them. */

/** Fields of every node. */
interface Base {
  readonly parent?: Node;
  readonly range: readonly [number, number];
}

export interface Identifier extends Base {
  readonly type: "Identifier";
  readonly name: string;
  readonly typeAnnotation?: TypeAnnotation;
}

export interface Literal extends Base {
  readonly type: "Literal";
  readonly value: unknown;
  readonly bigint?: string;
  readonly regex?: unknown;
}

export interface Call extends Base {
  readonly type: "CallExpression" | "NewExpression";
  readonly callee: Node;
  readonly arguments: readonly Node[];
  /** Type arguments under the name of typescript-eslint 6 and later. */
  readonly typeArguments?: { readonly params: readonly Node[] };
}

export interface Member extends Base {
  readonly type: "MemberExpression";
  readonly object: Node;
  readonly property: Node;
  readonly computed: boolean;
}

export interface FunctionNode extends Base {
  readonly type: "FunctionDeclaration" | "FunctionExpression" | "ArrowFunctionExpression";
  readonly id: Identifier | null;
  readonly params: readonly Node[];
  readonly body: Node;
  readonly async: boolean;
}

export interface VariableDeclarator extends Base {
  readonly type: "VariableDeclarator";
  readonly id: Node;
  readonly init: Node | null;
}

export interface Assignment extends Base {
  readonly type: "AssignmentExpression" | "AssignmentPattern";
  readonly left: Node;
  readonly right: Node;
}

/** A node with one operand. */
export interface Operation extends Base {
  readonly type: "UpdateExpression" | "UnaryExpression" | "AwaitExpression" | "YieldExpression";
  readonly operator?: string;
  readonly argument: Node | null;
}

export interface ExpressionStatement extends Base {
  readonly type: "ExpressionStatement";
  readonly expression: Node;
}

/** A node that stands for the expression within it. */
export interface Wrapper extends Base {
  readonly type:
    | "ChainExpression"
    | "TSAsExpression"
    | "TSSatisfiesExpression"
    | "TSNonNullExpression"
    | "ParenthesizedExpression";
  readonly expression: Node;
}

export interface ImportDeclaration extends Base {
  readonly type: "ImportDeclaration";
  readonly source: Literal;
}

export interface ImportSpecifier extends Base {
  readonly type: "ImportSpecifier";
  readonly imported: Node;
}

/** An import without a name of the module in it. */
export interface WholeImport extends Base {
  readonly type: "ImportNamespaceSpecifier" | "ImportDefaultSpecifier";
}

export interface ObjectNode extends Base {
  readonly type: "ObjectExpression" | "ObjectPattern";
  readonly properties: readonly Node[];
}

export interface Property extends Base {
  readonly type: "Property" | "TSPropertySignature" | "PropertyDefinition";
  readonly key: Node;
  readonly value?: Node | null;
  readonly computed: boolean;
  readonly typeAnnotation?: TypeAnnotation;
}

export interface ArrayNode extends Base {
  readonly type: "ArrayExpression" | "ArrayPattern";
  readonly elements: readonly (Node | null)[];
}

export interface TypeAnnotation extends Base {
  readonly type: "TSTypeAnnotation";
  readonly typeAnnotation: Node;
}

export interface TypeReference extends Base {
  readonly type: "TSTypeReference";
  readonly typeName: Node;
  readonly typeArguments?: { readonly params: readonly Node[] };
}

/** A type that is made of others. */
export interface CompoundType extends Base {
  readonly type: "TSUnionType" | "TSIntersectionType";
  readonly types: readonly Node[];
}

export interface TypeLiteral extends Base {
  readonly type: "TSTypeLiteral";
  readonly members: readonly Node[];
}

export interface ArrayType extends Base {
  readonly type: "TSArrayType";
  readonly elementType: Node;
}

export interface TypeOperator extends Base {
  readonly type: "TSTypeOperator";
  readonly typeAnnotation?: Node;
}

/** A type without parts that matter. */
export interface PlainType extends Base {
  readonly type: "TSBigIntKeyword" | "TSSymbolKeyword" | "TSFunctionType";
}

export interface Interface extends Base {
  readonly type: "TSInterfaceDeclaration";
  readonly body: { readonly body: readonly Node[] };
}

export interface TypeAlias extends Base {
  readonly type: "TSTypeAliasDeclaration";
  readonly typeAnnotation: Node;
}

/** All other nodes; their types have many names. */
export interface OtherNode extends Base {
  readonly type: "Program";
}

export type Node =
  | ArrayNode
  | ArrayType
  | Assignment
  | Call
  | CompoundType
  | ExpressionStatement
  | FunctionNode
  | Identifier
  | ImportDeclaration
  | ImportSpecifier
  | Interface
  | Literal
  | Member
  | ObjectNode
  | Operation
  | OtherNode
  | PlainType
  | Property
  | TypeAlias
  | TypeAnnotation
  | TypeLiteral
  | TypeOperator
  | TypeReference
  | VariableDeclarator
  | WholeImport
  | Wrapper;

/** Whether the node is a function. */
export function isFunction(node: Node | null | undefined): node is FunctionNode {
  return (
    node?.type === "ArrowFunctionExpression" ||
    node?.type === "FunctionExpression" ||
    node?.type === "FunctionDeclaration"
  );
}

/** The expression without the casts and brackets around it. */
export function unwrapped(node: Node): Node {
  switch (node.type) {
    case "ChainExpression":
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSNonNullExpression":
    case "TSSatisfiesExpression":
      return unwrapped(node.expression);
    default:
      return node;
  }
}

/** The name of a property that is written down; undefined for a computed one. */
export function propertyName({ key, computed }: Pick<Property, "key" | "computed">): string | undefined {
  if (!computed && key.type === "Identifier") return key.name;
  return key.type === "Literal" && typeof key.value === "string" ? key.value : undefined;
}

/** The name of the member that an expression takes. */
export function memberName({ property, computed }: Member): string | undefined {
  return propertyName({ key: property, computed });
}
