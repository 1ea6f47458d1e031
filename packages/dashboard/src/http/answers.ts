/** Answers that are not JSON. */

/** Text that is not HTML. */
export function text(body: string, contentType = "text/plain; charset=utf-8", status = 200): Response {
  return new Response(body, { status, headers: { "content-type": contentType } });
}
