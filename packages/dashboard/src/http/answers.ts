/** Answers of the handler. */
import type { Refusal } from "../page/shapes/session.ts";

/** A request that is refused: its status, its code for programs, and a sentence for people. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json; charset=utf-8" },
  });
}

export function refusal(status: number, code: string, message: string): Response {
  const body: Refusal = { error: { code, message } };
  return json(body, status);
}

/** Text that is not HTML. */
export function text(body: string, contentType = "text/plain; charset=utf-8", status = 200): Response {
  return new Response(body, { status, headers: { "content-type": contentType } });
}
