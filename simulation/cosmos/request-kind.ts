/** Names the kind of a request, for the report of what was hit. */
import type { InProcessRequest } from "@duroxide-ts/cosmos-emulator";

type RequestKind = "account" | "container" | "ranges" | "read" | "query" | "batch" | "write";

export function kindOf({ method, path, headers }: InProcessRequest): RequestKind {
  if (path === "/") return "account";
  if (path.endsWith("/pkranges")) return "ranges";
  if (!path.includes("/docs")) return "container";
  if (method === "GET") return "read";
  if (method !== "POST") return "write";
  if (headers["x-ms-cosmos-is-batch-request"] !== undefined) return "batch";
  return headers["content-type"]?.includes("query") === true ? "query" : "write";
}
