/** Literals, names, paths, calls, subqueries and bracketed expressions: expressions without operators. */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { type Grammar, parseList } from "./grammar.ts";
import type { Token } from "./token.ts";
import type { TokenReader } from "./token-reader.ts";
import type { Expression, SubqueryNode } from "./tree.ts";

const WORD_LITERALS: ReadonlyMap<string, null | boolean | undefined> = new Map([
  ["NULL", null],
  ["TRUE", true],
  ["FALSE", false],
  ["UNDEFINED", undefined],
]);

/** Parses a primary expression with all its `.name` and `[index]`. */
export function parsePrimary(reader: TokenReader, grammar: Grammar): Expression {
  return reader.chain(() => {
    let object = parseBase(reader, grammar);
    for (;;) {
      if (reader.takeSymbol(".") !== undefined) {
        const name = reader.expectProperty();
        const index = { kind: "literal", value: name.text, start: name.start, end: name.end } as const;
        object = { kind: "member", object, index, ...reader.spanFrom(object) };
      } else if (reader.takeSymbol("[") !== undefined) {
        const index = grammar.expression(reader);
        reader.expectSymbol("]");
        object = { kind: "member", object, index, ...reader.spanFrom(object) };
      } else {
        return object;
      }
      reader.deepen(reader.peek());
    }
  });
}

function parseBase(reader: TokenReader, grammar: Grammar): Expression {
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
      return parseBracketed(reader, grammar, token);
    case "word":
      return parseWord(reader, grammar, token);
    case "end":
      return reader.fail();
  }
}

function parseNumber({ text, value, start, end }: Token): Expression {
  const number = { kind: "literal", value, start, end } as const;
  return /^\d+$/.test(text) && !Number.isSafeInteger(value) ? { ...number, digits: text } : number;
}

function parseBracketed(reader: TokenReader, grammar: Grammar, open: Token): Expression {
  if (reader.isSymbol("(") && reader.isWord("SELECT", 1)) {
    return parseSubquery(reader, grammar, open, "scalar");
  }
  if (reader.takeSymbol("(") !== undefined) {
    const inner = grammar.expression(reader);
    reader.expectSymbol(")");
    return inner;
  }
  if (reader.takeSymbol("[") !== undefined) {
    const items = reader.isSymbol("]") ? [] : parseList(reader, () => grammar.expression(reader));
    reader.expectSymbol("]");
    return { kind: "array", items, ...reader.spanFrom(open) };
  }
  if (reader.takeSymbol("{") !== undefined) {
    const entries = reader.isSymbol("}") ? [] : parseList(reader, () => parseEntry(reader, grammar));
    reader.expectSymbol("}");
    return { kind: "object", entries, ...reader.spanFrom(open) };
  }
  return reader.fail();
}

/** Parses an entry. The service takes a bare word as the name of a property, as JavaScript does. */
function parseEntry(reader: TokenReader, grammar: Grammar): { name: string; value: Expression } {
  const token = reader.peek();
  const name = token.kind === "string" ? String(reader.next().value) : reader.expectName().text;
  reader.expectSymbol(":");
  return { name, value: grammar.expression(reader) };
}

function parseWord(reader: TokenReader, grammar: Grammar, token: Token): Expression {
  const keyword = token.text.toUpperCase();
  if (WORD_LITERALS.has(keyword)) {
    reader.next();
    return { kind: "literal", value: WORD_LITERALS.get(keyword), start: token.start, end: token.end };
  }
  if (reader.isSymbol("(", 1) && reader.isWord("SELECT", 2)) {
    if (keyword === "EXISTS" || keyword === "ARRAY") {
      reader.next();
      return parseSubquery(reader, grammar, token, keyword === "EXISTS" ? "exists" : "array");
    }
  }
  if (keyword === "UDF" && reader.isSymbol(".", 1))
    throw CosmosError.notImplemented("User-defined functions");
  const callable = reader.isName() || keyword === "LEFT" || keyword === "RIGHT";
  if (callable && reader.isSymbol("(", 1)) {
    return parseCall(reader, grammar, reader.next());
  }
  const name = reader.expectName();
  return { kind: "identifier", name: name.text, start: name.start, end: name.end };
}

function parseCall(reader: TokenReader, grammar: Grammar, name: Token): Expression {
  reader.expectSymbol("(");
  const args = reader.isSymbol(")") ? [] : parseList(reader, () => grammar.expression(reader));
  reader.expectSymbol(")");
  return { kind: "call", name: name.text, args, ...reader.spanFrom(name) };
}

function parseSubquery(
  reader: TokenReader,
  grammar: Grammar,
  from: Token,
  form: SubqueryNode["form"],
): Expression {
  reader.expectSymbol("(");
  const select = reader.nested(() => grammar.select(reader));
  reader.expectSymbol(")");
  return { kind: "subquery", form, select, ...reader.spanFrom(from) };
}
