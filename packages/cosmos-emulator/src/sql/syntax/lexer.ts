/** The split of a query text into tokens with positions. Knows characters, not grammar. */
import { queryError } from "./query-error.ts";
import { readString } from "./string-literal.ts";
import type { Token, TokenKind } from "./token.ts";

/** docs/reference/cosmos-protocol.md §3.1. */
export const MAX_QUERY_BYTES: number = 512 * 1024;

const BLANK = /(?:[\s\uFEFF]|--[^\r\n]*)+/uy;
const WORD = /[\p{L}_][\p{L}\p{N}_]*/uy;
const PARAMETER = /@[\p{L}\p{N}_]+/uy;
const NUMBER = /0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?/uy;
const SYMBOL = />>>|\?\?|\|\||<=|>=|<>|!=|<<|>>|[-+*/%&|^~=<>?:,.()[\]{}]/uy;

/** Splits a query into tokens; the last one has the kind "end". Throws CosmosError 400. */
export function tokenize(text: string): readonly Token[] {
  if (Buffer.byteLength(text) > MAX_QUERY_BYTES) {
    const message = `The query text has more than ${MAX_QUERY_BYTES} bytes. Pass long lists as a parameter.`;
    throw queryError("SC3001", message, { start: 0, end: text.length });
  }
  const tokens: Token[] = [];
  let at = skip(text, 0);
  while (at < text.length) {
    const token = tokenAt(text, at);
    tokens.push(token);
    at = skip(text, token.end);
  }
  tokens.push({ kind: "end", text: "", value: undefined, start: text.length, end: text.length });
  return tokens;
}

function skip(text: string, at: number): number {
  return at + (match(BLANK, text, at)?.length ?? 0);
}

function tokenAt(text: string, start: number): Token {
  const first = text.charAt(start);
  if (first === "'" || first === '"') {
    const { value, end } = readString(text, start);
    return { kind: "string", text: text.slice(start, end), value, start, end };
  }
  const found =
    token("word", match(WORD, text, start), start) ??
    token("number", match(NUMBER, text, start), start) ??
    token("parameter", match(PARAMETER, text, start), start) ??
    token("symbol", match(SYMBOL, text, start), start);
  if (found === undefined) {
    const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
    const span = { start, end: start + character.length };
    throw queryError("SC1010", `Syntax error, invalid token '${character}'.`, span);
  }
  return found;
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function token(kind: TokenKind, text: string | undefined, start: number): Token | undefined {
  if (text === undefined) return undefined;
  const value = kind === "number" ? Number(text) : kind === "parameter" ? text : undefined;
  return { kind, text, value, start, end: start + text.length };
}
