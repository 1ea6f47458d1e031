/** Labels requests in a few words: for reports, and to distinguish requests of one kind from others. */
import type { PipelineRequest } from "@azure/core-rest-pipeline";

interface SentOperation {
  readonly operationType: string;
  readonly id?: string;
  readonly resourceBody?: { readonly type?: string };
}

export function labelOf({ method, url, headers, body }: PipelineRequest): string {
  const partition = headers.get("x-ms-documentdb-partitionkey") ?? "";
  if (headers.has("x-ms-cosmos-is-batch-request")) {
    const operations = JSON.parse(String(body)) as readonly SentOperation[];
    const kinds = new Set(
      operations.map(({ operationType, resourceBody }) =>
        `${operationType} ${resourceBody?.type ?? ""}`.trim(),
      ),
    );
    return `batch ${partition} ${[...kinds].join(", ")}`;
  }
  if (headers.get("x-ms-documentdb-isquery")?.toLowerCase() === "true") {
    const { query } = JSON.parse(String(body)) as { readonly query: string };
    const types = [...query.matchAll(/c\.type = '(\w+)'/g)].map((match) => match[1]);
    return `query ${partition} ${[...new Set(types)].join(", ")}`.replaceAll(/\s+/g, " ");
  }
  const resource = new URL(url).pathname.split("/").filter((part) => part !== "");
  return `${method} ${resource.at(-2) ?? "account"} ${partition}`.trim();
}
