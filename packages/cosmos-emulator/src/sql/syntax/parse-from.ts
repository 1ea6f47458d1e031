/** FROM: the container, and the name of its documents. */
import { notSupported } from "./query-error.ts";
import type { TokenReader } from "./token-reader.ts";

/** Parses what follows the word FROM, and returns the name. Throws CosmosError 400, by name, for sources other than the container. */
export function parseFrom(reader: TokenReader): string {
  if (reader.isSymbol("(")) throw notSupported("A subquery in FROM", reader.peek());
  const container = reader.expectName();
  if (reader.isSymbol(".") || reader.isSymbol("[")) throw notSupported("A path in FROM", reader.peek());
  if (reader.isWord("IN")) throw notSupported("IN after FROM", reader.peek());
  const isNamed = reader.takeWord("AS") !== undefined || reader.isName();
  const { text } = isNamed ? reader.expectName() : container;
  if (reader.isWord("JOIN")) throw notSupported("JOIN", reader.peek());
  return text;
}
