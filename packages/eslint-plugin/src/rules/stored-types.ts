/** Types, as they are written down, that JSON does not carry. */
import type { Names } from "../syntax/names.ts";
import type { Node } from "../syntax/node.ts";

/** A type that changes on its way through the store, or does not get through. */
export interface TypeFault {
  readonly node: Node;
  readonly kind: "lost" | "date";
}

const LOST: ReadonlySet<string> = new Set(
  [
    "Map ReadonlyMap Set ReadonlySet WeakMap WeakSet Promise PromiseLike RegExp Function Symbol Iterator Generator",
    "AsyncIterable AsyncGenerator ArrayBuffer SharedArrayBuffer DataView Buffer Blob File ReadableStream Request Response",
    "Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array",
    "BigInt64Array BigUint64Array",
  ].flatMap((names) => names.split(" ")),
);

/** The faults of a type, of its members, and of the types of the file that it names. */
export function faultsOf(type: Node, names: Names, seen: ReadonlySet<Node> = new Set()): TypeFault[] {
  if (seen.has(type)) return [];
  const inner = (each: Node | null | undefined): TypeFault[] =>
    each === null || each === undefined ? [] : faultsOf(each, names, new Set([...seen, type]));
  switch (type.type) {
    case "TSBigIntKeyword":
    case "TSFunctionType":
    case "TSSymbolKeyword":
      return [{ node: type, kind: "lost" }];
    case "TSArrayType":
      return inner(type.elementType);
    case "TSTypeOperator":
      return inner(type.typeAnnotation);
    case "TSUnionType":
    case "TSIntersectionType":
      return type.types.flatMap(inner);
    case "TSTypeLiteral":
      return type.members.flatMap(inner);
    case "TSInterfaceDeclaration":
      return type.body.body.flatMap(inner);
    case "TSPropertySignature":
      return inner(type.typeAnnotation?.typeAnnotation);
    case "TSTypeAliasDeclaration":
      return inner(type.typeAnnotation);
    case "TSTypeReference":
      return (
        ofReference(type.typeName, type, names) ?? [
          ...inner(declarationOf(type.typeName, names)),
          ...(isWrapper(type.typeName) ? (type.typeArguments?.params ?? []).flatMap(inner) : []),
        ]
      );
    default:
      return [];
  }
}

/** A global type by its name; a type of the file of the same name is another. */
function ofReference(name: Node, node: Node, names: Names): TypeFault[] | undefined {
  if (name.type !== "Identifier" || names.variable(name) !== undefined) return undefined;
  if (name.name === "Date") return [{ node, kind: "date" }];
  return LOST.has(name.name) ? [{ node, kind: "lost" }] : undefined;
}

function declarationOf(name: Node, names: Names): Node | undefined {
  const [definition] = names.variable(name)?.defs ?? [];
  const node = definition?.node;
  return node?.type === "TSInterfaceDeclaration" || node?.type === "TSTypeAliasDeclaration"
    ? node
    : undefined;
}

/** Types that have the parts of their arguments. */
function isWrapper(name: Node): boolean {
  return (
    name.type === "Identifier" && /^(Readonly|Partial|Required|Array|ReadonlyArray|Record)$/.test(name.name)
  );
}
