/** Answers in JSON, and requests that are refused. */

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

/** An answer that caches do not keep. */
export function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

/** The answer of a `Refused`. */
export function refusal(status: number, code: string, message: string): Response {
  return json({ error: { code, message } }, status);
}
