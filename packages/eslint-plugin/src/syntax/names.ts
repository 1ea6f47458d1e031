/** Meaning of a name or a chain of members: a global, a part of a module, or a variable of the file. */
import type { Reference, SourceCode, Variable } from "./eslint.ts";
import { memberName, type Node, propertyName, unwrapped } from "./node.ts";

/** A thing that comes from outside the file. */
export interface OutsideName {
  /** Module without `node:`, or "global". */
  readonly from: string;
  /** Names of the members, with dots: "Date.now", "randomUUID". Empty for a whole module. */
  readonly path: string;
}

const GLOBAL_OBJECTS: ReadonlySet<string> = new Set(["globalThis", "global", "window", "self"]);

/** The names of a file. */
export class Names {
  readonly #references: ReadonlyMap<Node, Reference>;
  readonly #declared: ReadonlyMap<Node, Variable>;

  constructor({ scopeManager }: SourceCode) {
    const scopes = scopeManager?.scopes ?? [];
    const references = scopes.flatMap((scope) => scope.references);
    this.#references = new Map(references.map((reference) => [reference.identifier, reference]));
    const variables = scopes.flatMap((scope) => scope.variables);
    this.#declared = new Map(
      variables.flatMap((variable) => variable.defs.map(({ name }) => [name, variable] as const)),
    );
  }

  /** The variable that an identifier declares. */
  declared(identifier: Node): Variable | undefined {
    return this.#declared.get(identifier);
  }

  /** The variable of the file that an identifier names. */
  variable(identifier: Node): Variable | undefined {
    const variable = this.#references.get(identifier)?.resolved;
    return variable !== null && variable !== undefined && variable.defs.length > 0 ? variable : undefined;
  }

  /** The reference that an identifier is; undefined for the name of a member or a declaration. */
  reference(identifier: Node): Reference | undefined {
    return this.#references.get(identifier);
  }

  /** The thing from outside that an expression names; undefined for anything else. */
  outside(expression: Node): OutsideName | undefined {
    const node = unwrapped(expression);
    switch (node.type) {
      case "Identifier": {
        const variable = this.variable(node);
        if (variable !== undefined) return this.#imported(variable);
        if (!this.#references.has(node)) return undefined;
        return { from: "global", path: GLOBAL_OBJECTS.has(node.name) ? "" : node.name };
      }
      case "MemberExpression": {
        const object = this.outside(node.object);
        const member = memberName(node);
        return object === undefined || member === undefined ? undefined : joined(object, member);
      }
      default:
        return undefined;
    }
  }

  /** Whether an expression is the named export of the package. */
  isOfCore(expression: Node, name: string): boolean {
    const outside = this.outside(expression);
    return outside?.path === name && outside.from.startsWith("@duroxide-ts/");
  }

  #imported({ defs: [definition], name }: Variable): OutsideName | undefined {
    if (definition === undefined) return undefined;
    const { node, parent } = definition;
    if (definition.type === "ImportBinding" && parent?.type === "ImportDeclaration") {
      const from = moduleName(parent.source.value);
      if (node.type !== "ImportSpecifier") return { from, path: "" };
      return { from, path: propertyName({ key: node.imported, computed: false }) ?? "" };
    }
    if (node.type !== "VariableDeclarator" || node.init === null) return undefined;
    const from = this.#required(unwrapped(node.init));
    if (from === undefined) return undefined;
    if (node.id.type !== "ObjectPattern") return { from, path: "" };
    const property = node.id.properties.find(
      (each) => each.type === "Property" && each.value?.type === "Identifier" && each.value.name === name,
    );
    return property?.type === "Property" ? { from, path: propertyName(property) ?? "" } : undefined;
  }

  #required(init: Node): string | undefined {
    if (init.type !== "CallExpression" || init.callee.type !== "Identifier") return undefined;
    const [module] = init.arguments;
    const isRequire = init.callee.name === "require" && module?.type === "Literal";
    return isRequire ? moduleName(module.value) : undefined;
  }
}

function moduleName(specifier: unknown): string {
  return String(specifier).replace(/^node:/, "");
}

function joined({ from, path }: OutsideName, member: string): OutsideName {
  // The default export of a module of Node is the module.
  if (path === "" && member === "default") return { from, path };
  return { from, path: path === "" ? member : `${path}.${member}` };
}
