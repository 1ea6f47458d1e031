/** The address under which a server is found. */

/** Options of the address under which browsers find a server. */
export interface AddressOptions {
  /** Path below which it lies, such as "/duroxide"; the root by default. */
  readonly basePath?: string;
  /** Origins of pages beside that of the request, such as "https://ops.example.com". */
  readonly origins?: readonly string[];
}

/** The fault of a base path or an origin; `caller` begins the sentence. */
export function addressFault(
  caller: string,
  { basePath = "", origins = [] }: AddressOptions,
): string | undefined {
  if (basePath !== "" && !/^(\/[\w~-]+)+$/.test(basePath)) {
    return `${caller}: basePath must be "" or a path such as "/duroxide", without a slash at its end; got ${JSON.stringify(basePath)}`;
  }
  const wrong = origins.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  if (wrong === undefined) return undefined;
  return `${caller}: origins must be such as "https://ops.example.com", without a path; got ${JSON.stringify(wrong)}`;
}

/** The path below the base, without a slash in front; `undefined` if the path is not below it. */
export function pathBelow(pathname: string, basePath: string): string | undefined {
  if (pathname === basePath) return "";
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length + 1) : undefined;
}

/**
 * Whether a page of this origin is one of the server that got the request. The scheme is not compared, because a proxy in
 * front may end TLS; a port that is the usual one of the origin's scheme may stand in the Host or not.
 */
export function isOwnOrigin(origin: string, { headers, url }: Request): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  const own = `${protocol}//${headers.get("host") ?? new URL(url).host}`;
  return URL.canParse(own) && new URL(own).host === host;
}
