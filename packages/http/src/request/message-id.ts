/** The id with which a request can be repeated. */

/**
 * `Idempotency-Key`, or `Webhook-Id` of a webhook (standardwebhooks.com). In quotes, as the draft of the IETF writes it, it
 * is the same id.
 */
export function messageIdOf({ headers }: Request, url: URL): string | undefined {
  const given = headers.get("idempotency-key") ?? headers.get("webhook-id");
  // A header has no room for every character, so an id may stand in the address.
  return given === null ? (url.searchParams.get("messageId") ?? undefined) : unquoted(given);
}

function unquoted(text: string): string {
  const [, inner] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text) ?? [];
  return inner === undefined ? text : inner.replaceAll(/\\(["\\])/g, "$1");
}
