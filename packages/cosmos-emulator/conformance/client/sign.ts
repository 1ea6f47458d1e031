/** The master-key signature (docs/reference/cosmos-protocol.md §1.3). */
import { createHmac } from "node:crypto";

/** The parts that a signature covers. */
export interface Signed {
  readonly verb: string;
  /** "docs", "colls", …; "" for the account. */
  readonly resourceType: string;
  /** Link, not URL-encoded, without a leading slash. */
  readonly resourceLink: string;
  /** The value of `x-ms-date`. */
  readonly date: string;
}

/** The value of the `authorization` header. */
export function sign(key: string, { verb, resourceType, resourceLink, date }: Signed): string {
  const text = `${verb.toLowerCase()}\n${resourceType}\n${resourceLink}\n${date.toLowerCase()}\n\n`;
  const signature = createHmac("sha256", Buffer.from(key, "base64")).update(text).digest("base64");
  return encodeURIComponent(`type=master&ver=1.0&sig=${signature}`);
}

/**
 * Finds the parts that a request to `link` signs: a feed signs its parent, a resource itself, an offer its id in
 * lower case.
 */
export function signedParts(link: string): { resourceType: string; resourceLink: string } {
  const segments = link.split("/").filter((segment) => segment !== "");
  if (segments.at(-2) === "operations")
    return { resourceType: "colls", resourceLink: segments.slice(0, -2).join("/") };
  const isFeed = segments.length % 2 === 1;
  const resourceType = segments.at(isFeed ? -1 : -2) ?? "";
  if (resourceType === "offers")
    return { resourceType, resourceLink: isFeed ? "" : (segments.at(-1) ?? "").toLowerCase() };
  return { resourceType, resourceLink: (isFeed ? segments.slice(0, -1) : segments).join("/") };
}
