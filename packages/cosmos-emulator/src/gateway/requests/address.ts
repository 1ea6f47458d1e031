/**
 * The parsing of the raw path of a request: the resource that it names, and the two parts of it that are signed
 * (docs/reference/cosmos-protocol.md §1.3, §1.4). Whether the resource exists is the engine's business.
 */
import { CosmosError } from "../../protocol/cosmos-error.ts";

export type ResourceKind =
  | "account"
  | "database"
  | "container"
  | "item"
  | "storedProcedure"
  | "trigger"
  | "userDefinedFunction"
  | "conflict"
  | "partitionKeyRange"
  | "partitionKeyOperation"
  | "offer"
  | "user"
  | "permission"
  | "clientEncryptionKey";

export interface Address {
  readonly kind: ResourceKind;
  /** A feed (`…/docs`) or one resource (`…/docs/id`). */
  readonly scope: "feed" | "one";
  /** Name or resource id of the database; empty where the path has none. So are the next two. */
  readonly database: string;
  readonly container: string;
  /** Name or resource id of the resource itself when it is neither database nor container. */
  readonly id: string;
  readonly signedType: string;
  readonly signedLink: string;
}

/** The kinds of resources below each kind, by the word in the path. */
const CHILDREN: Partial<Record<ResourceKind, Readonly<Record<string, ResourceKind>>>> = {
  account: { dbs: "database", offers: "offer" },
  database: { colls: "container", users: "user", clientencryptionkeys: "clientEncryptionKey" },
  container: {
    docs: "item",
    sprocs: "storedProcedure",
    triggers: "trigger",
    udfs: "userDefinedFunction",
    conflicts: "conflict",
    pkranges: "partitionKeyRange",
    operations: "partitionKeyOperation",
  },
  user: { permissions: "permission" },
};

/** Parses a path. Throws 400 for one that cannot be read or names nothing that the service has. */
export function parseAddress(rawPath: string, options: { readonly slashesInIds: boolean }): Address {
  const segments = options.slashesInIds ? joinItemId(splitPath(rawPath)) : splitPath(rawPath);
  const ids: Partial<Record<ResourceKind, string>> = {};
  let kind: ResourceKind = "account";
  for (let at = 0; at < segments.length; at += 2) {
    const word = segments[at] ?? "";
    const child: ResourceKind | undefined = CHILDREN[kind]?.[word.toLowerCase()];
    if (child === undefined) {
      throw CosmosError.badRequest(
        `The request URL is invalid: ${JSON.stringify(rawPath)} names no resource, "${word}" is unknown there.`,
      );
    }
    kind = child;
    const id = segments[at + 1];
    if (id !== undefined) ids[kind] = id;
  }
  return {
    kind,
    scope: segments.length % 2 === 0 ? "one" : "feed",
    database: ids.database ?? "",
    container: ids.container ?? "",
    id: kind === "database" || kind === "container" ? "" : (ids[kind] ?? ""),
    ...whatIsSigned(kind, segments),
  };
}

/** Finds the resource type and link over which the caller computed the signature. */
function whatIsSigned(
  kind: ResourceKind,
  segments: readonly string[],
): Pick<Address, "signedType" | "signedLink"> {
  if (kind === "account") return { signedType: "", signedLink: "" };
  if (kind === "partitionKeyOperation")
    return { signedType: "colls", signedLink: segments.slice(0, 4).join("/") };
  if (kind === "offer") return { signedType: "offers", signedLink: (segments[1] ?? "").toLowerCase() };
  const isFeed = segments.length % 2 === 1;
  const signedType = (isFeed ? segments.at(-1) : segments.at(-2)) ?? "";
  const link = isFeed ? segments.slice(0, -1) : segments;
  return { signedType: signedType.toLowerCase(), signedLink: link.join("/") };
}

function splitPath(rawPath: string): string[] {
  const path = withoutQuery(rawPath.replace(/^[a-z]+:\/\/[^/]*/i, "")).replace(/^\/+|\/+$/g, "");
  if (path === "") return [];
  return path.split("/").map((part) => {
    if (part === "") throw CosmosError.badRequest(`The path ${JSON.stringify(rawPath)} has an empty part.`);
    return decodePart(part, rawPath);
  });
}

/**
 * Cuts a query string off. Clients leave `?` in item ids as it is, so behind `docs/` it does not begin a query
 * string.
 */
function withoutQuery(path: string): string {
  const query = path.indexOf("?");
  if (query === -1 || /^\/*dbs\/[^/?]+\/colls\/[^/?]+\/docs\/./i.test(path)) return path;
  return path.slice(0, query);
}

function decodePart(part: string, rawPath: string): string {
  try {
    return decodeURIComponent(part);
  } catch (cause) {
    const message = `The path ${JSON.stringify(rawPath)} is not percent-encoded UTF-8: write % as %25.`;
    throw CosmosError.badRequest(message, { cause });
  }
}

/** Joins the parts of an id: `docs/a/b` is the item `a/b`, as other emulators read it. */
function joinItemId(segments: string[]): string[] {
  const isItem = segments.length > 6 && segments[4]?.toLowerCase() === "docs";
  return isItem ? [...segments.slice(0, 5), segments.slice(5).join("/")] : segments;
}
