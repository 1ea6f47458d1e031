/** Feeds: `{_rid, <Name>: [...], _count}` with the headers of a page (docs/reference/cosmos-protocol.md §1.5). */
import { HEADER } from "../headers/headers.ts";
import { type Answer, textAnswer } from "./answer.ts";

export interface Feed {
  /** "Documents", "Databases", … */
  readonly name: string;
  /** The `_rid` of the owner. */
  readonly rid: string;
  /** JSON texts. */
  readonly rows: readonly string[];
  readonly continuation?: string;
  readonly charge: number;
}

export function feedAnswer(feed: Feed, headers: Readonly<Record<string, string>> = {}): Answer {
  const { name, rid, rows, continuation, charge } = feed;
  const body = `{"_rid":${JSON.stringify(rid)},"${name}":[${rows.join(",")}],"_count":${rows.length}}`;
  return textAnswer(200, body, charge, {
    [HEADER.itemCount]: String(rows.length),
    ...(continuation === undefined ? {} : { [HEADER.continuation]: asciiJson(continuation) }),
    ...headers,
  });
}

/** Escapes a continuation, which is JSON text and may quote values of items; a header takes ASCII only. */
function asciiJson(text: string): string {
  return text.replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
