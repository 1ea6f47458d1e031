/** Literals, names, paths, calls and bracketed expressions: expressions without operators. */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { notSupported } from "./query-error.ts";
import type { Token } from "./token.ts";
import type { TokenReader } from "./token-reader.ts";
import type { Expression } from "./tree.ts";

/** The parser of whole expressions. It is handed in, because files must not import in circles. */
type ParseExpression = (reader: TokenReader) => Expression;

const WORD_LITERALS: ReadonlyMap<string, null | boolean | undefined> = new Map([
  ["NULL", null],
  ["TRUE", true],
  ["FALSE", false],
  ["UNDEFINED", undefined],
]);

/** Parses a primary expression with all its `.name` and `[index]`. */
export function parsePrimary(reader: TokenReader, expression: ParseExpression): Expression {
  return reader.chain(() => {
    let object = parseBase(reader, expression);
    for (;;) {
      if (reader.takeSymbol(".") !== undefined) {
        const name = reader.expectProperty();
        const index = { kind: "literal", value: name.text, start: name.start, end: name.end } as const;
        object = { kind: "member", object, index, ...reader.spanFrom(object) };
      } else if (reader.takeSymbol("[") !== undefined) {
        const index = expression(reader);
        reader.expectSymbol("]");
        object = { kind: "member", object, index, ...reader.spanFrom(object) };
      } else {
        return object;
      }
      reader.deepen(reader.peek());
    }
  });
}

function parseBase(reader: TokenReader, expression: ParseExpression): Expression {
  const token = reader.peek();
  switch (token.kind) {
    case "number":
      return parseNumber(reader.next());
    case "string":
      reader.next();
      return { kind: "literal", value: token.value, start: token.start, end: token.end };
    case "parameter":
      reader.next();
      return { kind: "parameter", name: token.text, start: token.start, end: token.end };
    case "symbol":
      return parseBracketed(reader, expression, token);
    case "word":
      return parseWord(reader, expression, token);
    case "end":
      return reader.fail();
  }
}

function parseNumber({ text, value, start, end }: Token): Expression {
  const number = { kind: "literal", value, start, end } as const;
  return /^\d+$/.test(text) && !Number.isSafeInteger(value) ? { ...number, digits: text } : number;
}

function parseBracketed(reader: TokenReader, expression: ParseExpression, open: Token): Expression {
  if (reader.isSymbol("(") && reader.isWord("SELECT", 1)) throw notSupported("A subquery", open);
  if (reader.takeSymbol("(") !== undefined) {
    const inner = expression(reader);
    reader.expectSymbol(")");
    return inner;
  }
  if (reader.takeSymbol("[") !== undefined) {
    const items = reader.isSymbol("]") ? [] : reader.list(() => expression(reader));
    reader.expectSymbol("]");
    return { kind: "array", items, ...reader.spanFrom(open) };
  }
  if (reader.takeSymbol("{") !== undefined) {
    const entries = reader.isSymbol("}") ? [] : reader.list(() => parseEntry(reader, expression));
    reader.expectSymbol("}");
    return { kind: "object", entries, ...reader.spanFrom(open) };
  }
  return reader.fail();
}

/** Parses an entry. The service takes a bare word as the name of a property, as JavaScript does. */
function parseEntry(reader: TokenReader, expression: ParseExpression): { name: string; value: Expression } {
  const token = reader.peek();
  const name = token.kind === "string" ? String(reader.next().value) : reader.expectName().text;
  reader.expectSymbol(":");
  return { name, value: expression(reader) };
}

function parseWord(reader: TokenReader, expression: ParseExpression, token: Token): Expression {
  const keyword = token.text.toUpperCase();
  if (WORD_LITERALS.has(keyword)) {
    reader.next();
    return { kind: "literal", value: WORD_LITERALS.get(keyword), start: token.start, end: token.end };
  }
  if ((keyword === "EXISTS" || keyword === "ARRAY") && reader.isSymbol("(", 1)) {
    throw notSupported(`A subquery in ${keyword}`, token);
  }
  if (keyword === "UDF" && reader.isSymbol(".", 1))
    throw CosmosError.notImplemented("User-defined functions");
  const callable = reader.isName() || keyword === "LEFT" || keyword === "RIGHT";
  if (callable && reader.isSymbol("(", 1)) {
    return parseCall(reader, expression, reader.next());
  }
  const name = reader.expectName();
  return { kind: "identifier", name: name.text, start: name.start, end: name.end };
}

function parseCall(reader: TokenReader, expression: ParseExpression, name: Token): Expression {
  reader.expectSymbol("(");
  const args = reader.isSymbol(")") ? [] : reader.list(() => expression(reader));
  reader.expectSymbol(")");
  return { kind: "call", name: name.text, args, ...reader.spanFrom(name) };
}
