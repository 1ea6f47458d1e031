/**
 * The names by which the endpoint may be called. A web page can point a name of its own at this machine (DNS
 * rebinding), and its requests then carry that name as their Host: a browser would let the page read the answers.
 *
 * 1. Every route answers only to a Host that these rules accept, because the key of the data plane is well known.
 * 2. A Host that is missing, repeated or not in its plain form is refused. There is no default, because a default
 * would make an unknown name an accepted one.
 * 3. An address cannot be rebound. Beyond loopback every address is accepted: port mappings hide the endpoint's own.
 */
import { isIPv4, isIPv6 } from "node:net";

/** A Host as it was written, in lower case. */
export interface Authority {
  /** A name, an IPv4 address, or an IPv6 address in brackets. */
  readonly name: string;
  readonly port: number | undefined;
}

export interface HostRules {
  /** Whether only this machine can connect. */
  readonly onLoopback: boolean;
  readonly port: number;
  /** The port that a Host without a port means: 80, or 443 with HTTPS. */
  readonly defaultPort: number;
  /** Names that were allowed; one without a port stands for all ports. */
  readonly allowed: readonly Authority[];
}

const AUTHORITY = /^(\[[0-9a-f:.]+\]|[\w-]+(?:\.[\w-]+)*)(?::([1-9]\d{0,4}))?$/i;
const MAX_PORT = 65_535;

/** Parses a plain name or address, with or without a port; undefined for everything else. */
export function parseAuthority(text: string): Authority | undefined {
  const [, name = "", digits] = AUTHORITY.exec(text) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  if (name === "" || (port !== undefined && port > MAX_PORT)) return undefined;
  if (name.startsWith("[") && !isIPv6(name.slice(1, -1))) return undefined;
  return { name: name.toLowerCase(), port };
}

/** Finds the one host that a request names, as it is written there; undefined where it names none, or several. */
export function calledHost(hosts: readonly string[], target: string): string | undefined {
  const [host, ...others] = hosts;
  if (host === undefined || others.length > 0) return undefined;
  if (target.startsWith("/") || target === "*") return host;
  // The absolute form names a host too, which then is the one that counts (RFC 9112, 3.2.2): both have to be the same.
  const [, named] = /^https?:\/\/([^/?#]*)/i.exec(target) ?? [];
  return named?.toLowerCase() === host.toLowerCase() ? host : undefined;
}

export function accepts(
  authority: Authority,
  { onLoopback, port, defaultPort, allowed }: HostRules,
): boolean {
  const { name, port: calledPort = defaultPort } = authority;
  if (allowed.some((it) => it.name === name && (it.port === undefined || it.port === calledPort)))
    return true;
  if (onLoopback) return isLoopbackName(name) && calledPort === port;
  return isLoopbackName(name) || isIPv4(name) || name.startsWith("[");
}

/** Tells whether a name in lower case is one of loopback. */
export function isLoopbackName(name: string): boolean {
  return name === "localhost" || name === "[::1]" || (isIPv4(name) && name.startsWith("127."));
}
