/** The syntax tree of a query. Every node knows its place in the text, for error messages. */
import type { JsonValue } from "../../protocol/json.ts";
import type { Span } from "./query-error.ts";

/** A query: its text and its tree. */
export interface Query {
  readonly text: string;
  readonly select: Select;
}

export interface Select extends Span {
  readonly distinct: boolean;
  readonly top?: Count;
  readonly projection: Projection;
  readonly from?: From;
  readonly where?: Expression;
  readonly groupBy: readonly Expression[];
  readonly orderBy: readonly OrderItem[];
  readonly page?: { readonly offset: Count; readonly limit: Count };
}

/** TOP, OFFSET and LIMIT take a number or a parameter, nothing else. */
export type Count = NumberCount | ParameterNode;
export interface NumberCount extends Span {
  readonly kind: "count";
  readonly value: number;
}

export type Projection =
  | { readonly kind: "star"; readonly span: Span }
  | { readonly kind: "value"; readonly expression: Expression }
  | { readonly kind: "list"; readonly items: readonly SelectItem[] };

export interface SelectItem {
  readonly expression: Expression;
  readonly alias?: string;
}

export interface OrderItem {
  readonly expression: Expression;
  readonly descending: boolean;
}

/** The first source and those that are joined to it, from left to right. */
export interface From {
  readonly source: Source;
  readonly joins: readonly Source[];
}

/** `iterate`: one row for each element of the array (`x IN c.tags`), else the value itself is the row. */
export interface Source extends Span {
  readonly of: Expression | SelectSource;
  readonly alias?: string;
  readonly iterate: boolean;
}

export interface SelectSource extends Span {
  readonly kind: "select";
  readonly select: Select;
}

export interface ParameterNode extends Span {
  readonly kind: "parameter";
  /** Name with its `@`. */
  readonly name: string;
}

export interface LiteralNode extends Span {
  readonly kind: "literal";
  /** Value; absent for the literal `undefined`. */
  readonly value: JsonValue | undefined;
  /** Digits of an integer that a double cannot hold. */
  readonly digits?: string;
}

export interface IdentifierNode extends Span {
  readonly kind: "identifier";
  readonly name: string;
}

/** `object.name` and `object[index]` alike; a name is a literal index. */
export interface MemberNode extends Span {
  readonly kind: "member";
  readonly object: Expression;
  readonly index: Expression;
}

export interface ArrayNode extends Span {
  readonly kind: "array";
  readonly items: readonly Expression[];
}

export interface ObjectNode extends Span {
  readonly kind: "object";
  readonly entries: readonly { readonly name: string; readonly value: Expression }[];
}

export type UnaryOperator = "-" | "+" | "~" | "NOT";
export interface UnaryNode extends Span {
  readonly kind: "unary";
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

export type ComparisonOperator = "=" | "!=" | "<" | "<=" | ">" | ">=";
export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%";
export type BitOperator = "&" | "|" | "^" | "<<" | ">>" | ">>>";
export type BinaryOperator = ComparisonOperator | ArithmeticOperator | BitOperator | "||" | "??";
export interface BinaryNode extends Span {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

/** A chain of ANDs or ORs, flat, because generated queries chain thousands. */
export interface LogicalNode extends Span {
  readonly kind: "logical";
  readonly operator: "AND" | "OR";
  readonly operands: readonly Expression[];
}

export interface InNode extends Span {
  readonly kind: "in";
  readonly value: Expression;
  readonly items: readonly Expression[];
}

export interface BetweenNode extends Span {
  readonly kind: "between";
  readonly value: Expression;
  readonly low: Expression;
  readonly high: Expression;
}

export interface LikeNode extends Span {
  readonly kind: "like";
  readonly value: Expression;
  readonly pattern: Expression;
  readonly escape?: string;
}

export interface ConditionalNode extends Span {
  readonly kind: "conditional";
  readonly condition: Expression;
  readonly then: Expression;
  readonly otherwise: Expression;
}

export interface CallNode extends Span {
  readonly kind: "call";
  /** Name as written, for messages; functions are found without regard to case. */
  readonly name: string;
  readonly args: readonly Expression[];
}

export interface SubqueryNode extends Span {
  readonly kind: "subquery";
  readonly form: "scalar" | "exists" | "array";
  readonly select: Select;
}

export type Expression =
  | ParameterNode
  | LiteralNode
  | IdentifierNode
  | MemberNode
  | ArrayNode
  | ObjectNode
  | UnaryNode
  | BinaryNode
  | LogicalNode
  | InNode
  | BetweenNode
  | LikeNode
  | ConditionalNode
  | CallNode
  | SubqueryNode;
