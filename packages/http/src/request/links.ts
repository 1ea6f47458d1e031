/** Addresses of instances, as the caller of a request sees them. */
import { Refused } from "@duroxide-ts/core/web";
import type { Links } from "../wire/bodies.ts";

/**
 * The address of the handler. Behind a proxy that ends TLS or changes the host, its `X-Forwarded-*` headers say what the
 * caller sees. A caller who invents them gets links that lead it elsewhere, and nobody else: answers are not cached.
 */
export function baseOf({ headers }: Request, url: URL, basePath: string): string {
  const proto = first(headers.get("x-forwarded-proto")) ?? url.protocol.slice(0, -1);
  const host = first(headers.get("x-forwarded-host")) ?? headers.get("host") ?? url.host;
  const text = `${proto}://${host}`;
  const isAddress = /^https?$/.test(proto) && URL.canParse(text) && new URL(text).pathname === "/";
  return `${isAddress ? new URL(text).origin : url.origin}${basePath}`;
}

export function linksOf(base: string, instanceId: string): Links {
  const status = `${base}/instances/${segmentOf(instanceId)}`;
  return { status, result: `${status}/result`, events: `${status}/events`, cancel: `${status}/cancel` };
}

/** Refused for an id that an address cannot have: "." and ".." name folders, in whatever spelling. */
export function segmentOf(instanceId: string): string {
  if (instanceId !== "." && instanceId !== "..") return encodeURIComponent(instanceId);
  throw new Refused(400, "invalid-input", `"${instanceId}" cannot stand in an address; use another id`);
}

/** Each proxy appends what it has seen. */
function first(list: string | null): string | undefined {
  return list?.split(",", 1)[0]?.trim() || undefined;
}
