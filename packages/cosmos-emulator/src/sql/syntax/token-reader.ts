/** A cursor over tokens, with the bound on nesting that keeps a hostile query from exhausting the stack. */
import { emptyQuery, queryError, type Span, syntaxError } from "./query-error.ts";
import type { Token, TokenKind } from "./token.ts";
import { isReserved } from "./token.ts";

/** Levels of parentheses, brackets, subqueries and operator chains in one query. */
export const MAX_DEPTH = 100;

export class TokenReader {
  readonly #tokens: readonly Token[];
  readonly #lenientNames: boolean;
  #at = 0;
  #depth = 0;

  /** Takes tokens. With `lenientNames`, keywords may be names of properties behind a dot. */
  constructor(tokens: readonly Token[], lenientNames = false) {
    this.#tokens = tokens;
    this.#lenientNames = lenientNames;
  }

  /** Returns the next token, or one further ahead; behind the end it is the end token again. */
  peek(ahead = 0): Token {
    const token = this.#tokens[this.#at + ahead] ?? this.#tokens.at(-1);
    if (token === undefined) throw new RangeError("a token list ends in an end token");
    return token;
  }

  next(): Token {
    const token = this.peek();
    this.#at += 1;
    return token;
  }

  /** Takes the token if it is this keyword, in any case. */
  takeWord(keyword: string): Token | undefined {
    return this.isWord(keyword) ? this.next() : undefined;
  }

  takeSymbol(symbol: string): Token | undefined {
    return this.isSymbol(symbol) ? this.next() : undefined;
  }

  isWord(keyword: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === "word" && token.text.toUpperCase() === keyword;
  }

  isSymbol(symbol: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === "symbol" && token.text === symbol;
  }

  /** Tells whether the next token is a word that may be a name. */
  isName(ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === "word" && !isReserved(token.text);
  }

  expectWord(keyword: string): Token {
    return this.takeWord(keyword) ?? this.fail();
  }

  expectSymbol(symbol: string): Token {
    return this.takeSymbol(symbol) ?? this.fail();
  }

  expectName(): Token {
    return this.isName() ? this.next() : this.fail();
  }

  /** Takes the name of a property behind a dot. */
  expectProperty(): Token {
    return this.#lenientNames ? this.expectKind("word") : this.expectName();
  }

  expectKind(kind: TokenKind): Token {
    return this.peek().kind === kind ? this.next() : this.fail();
  }

  /**
   * Fails. The service says where it stopped understanding, not what it had expected. Of a text that ends too early
   * it names the last word (assumed; the code was seen on the service).
   */
  fail(): never {
    const token = this.peek();
    const last = token.kind === "end" ? this.#tokens.at(-2) : token;
    throw last === undefined ? emptyQuery(token.end) : syntaxError(last.text, last);
  }

  /** Runs `parse` one level deeper. */
  nested<T>(parse: () => T): T {
    this.deepen(this.peek());
    try {
      return parse();
    } finally {
      this.#depth -= 1;
    }
  }

  /** Goes one level deeper, until the surrounding `chain` or `nested` ends. */
  deepen(span: Span): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) {
      const message = `The query is nested deeper than ${MAX_DEPTH} levels. Simplify it.`;
      throw queryError("SC3001", message, span);
    }
  }

  /** Runs `parse`, which may `deepen` as often as it likes, and returns to the present depth. */
  chain<T>(parse: () => T): T {
    const depth = this.#depth;
    try {
      return parse();
    } finally {
      this.#depth = depth;
    }
  }

  /** Returns the span from the start of `from` to the end of the last token that was taken. */
  spanFrom(from: Span): Span {
    const last = this.#tokens[this.#at - 1] ?? from;
    return { start: from.start, end: Math.max(from.end, last.end) };
  }
}
