/** Types of what the rules use of ESLint, so that they need no version of it. */
import { type FunctionNode, isFunction, type Node } from "./node.ts";

export interface Reference {
  readonly identifier: Node;
  readonly resolved: Variable | null;
  readonly init?: boolean;
  isWrite(): boolean;
  isRead(): boolean;
}

export interface Definition {
  readonly type: string;
  /** Identifier that is declared. */
  readonly name: Node;
  /** Node that declares the name: a declarator, a function, an import specifier. */
  readonly node: Node;
  readonly parent?: Node | null;
}

export interface Variable {
  readonly name: string;
  readonly scope: Scope;
  readonly defs: readonly Definition[];
  readonly references: readonly Reference[];
}

export interface Scope {
  readonly type: string;
  readonly upper: Scope | null;
  readonly set: ReadonlyMap<string, Variable>;
  readonly references: readonly Reference[];
  readonly variables: readonly Variable[];
}

export interface SourceCode {
  readonly ast: Node;
  readonly text: string;
  readonly visitorKeys: Readonly<Record<string, readonly string[]>>;
  readonly scopeManager: { readonly scopes: readonly Scope[] } | null;
  getText(node: Node): string;
  getScope(node: Node): Scope;
}

export interface Fix {
  readonly range: readonly [number, number];
  readonly text: string;
}

export interface Fixer {
  replaceText(node: Node, text: string): Fix;
  insertTextBefore(node: Node, text: string): Fix;
}

export interface Report {
  readonly node: Node;
  readonly messageId: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly fix?: ((fixer: Fixer) => Fix) | null;
  readonly suggest?: readonly {
    readonly messageId: string;
    readonly data?: Readonly<Record<string, string>>;
    readonly fix: (fixer: Fixer) => Fix;
  }[];
}

export interface RuleContext {
  readonly sourceCode: SourceCode;
  report(report: Report): void;
}

/** A rule, as ESLint 9 and later and oxlint take it. */
export interface Rule {
  readonly meta: {
    readonly type: "problem";
    readonly docs: { readonly description: string };
    readonly messages: Readonly<Record<string, string>>;
    readonly fixable?: "code";
    readonly hasSuggestions?: boolean;
    readonly schema: [];
  };
  /** Takes ESLint's context, whose type differs from version to version; the rules read it as `RuleContext`. */
  create(context: never): {
    /** Called by ESLint when it has read the whole file. */
    "Program:exit": () => void;
  };
}

/** The function in which the node stands. */
export function functionAround(node: Node): FunctionNode | undefined {
  let at = node.parent;
  while (at !== undefined && at !== null && !isFunction(at)) at = at.parent;
  return at ?? undefined;
}
