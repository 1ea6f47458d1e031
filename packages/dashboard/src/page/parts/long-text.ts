/**
 * A text of any length. A browser needs seconds to lay out a megabyte, so the text stands in pieces, and those out of
 * sight are not laid out (`content-visibility` in the styles).
 */
import type { VNode } from "preact";
import { visible } from "../browser/format.ts";
import { h } from "../element.ts";

/** Characters of a piece at most; 16,000 are laid out within a frame or two. */
const PIECE = 16_000;

export function LongText(props: {
  readonly text: string;
  readonly label: string;
  readonly class?: string;
}): VNode {
  const text = visible(props.text);
  const content =
    text.length <= PIECE ? text : pieces(text).map((piece) => h("span", { class: "piece" }, piece));
  return h("pre", { class: props.class, tabIndex: 0, "aria-label": props.label }, content);
}

/** Cut after line breaks; a line that is longer than a piece is cut within, but not within a character. */
function pieces(text: string): readonly string[] {
  const found: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOfPiece(text, start);
    found.push(text.slice(start, end));
    start = end;
  }
  return found;
}

function endOfPiece(text: string, start: number): number {
  const limit = start + PIECE;
  if (limit >= text.length) return text.length;
  const lineEnd = text.lastIndexOf("\n", limit - 1);
  if (lineEnd >= start) return lineEnd + 1;
  const isHighSurrogate = /[\ud800-\udbff]/.test(text.charAt(limit - 1));
  return isHighSurrogate ? limit - 1 : limit;
}
