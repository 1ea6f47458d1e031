/** The queries that a provider sends, as they leave it. */
import type { PipelineRequest } from "@azure/core-rest-pipeline";
import type { Intercept } from "../../src/connection/http-client.ts";

export interface Parameter {
  readonly name: string;
  readonly value: unknown;
}

export interface AskedQuery {
  readonly text: string;
  readonly parameters: readonly Parameter[];
  /** The partition that it asks; undefined where it asks whole physical partitions. */
  readonly partitionKey: string | undefined;
}

/** One of each text, the last that was asked. */
export class QueryCapture {
  readonly #byText = new Map<string, AskedQuery>();

  readonly intercept: Intercept = (request, next) => {
    const asked = queryIn(request);
    if (asked !== undefined) this.#byText.set(asked.text, asked);
    return next(request);
  };

  get queries(): readonly AskedQuery[] {
    return [...this.#byText.values()];
  }
}

function queryIn({ headers, body }: PipelineRequest): AskedQuery | undefined {
  if (headers.get("x-ms-documentdb-isquery")?.toLowerCase() !== "true" || typeof body !== "string")
    return undefined;
  const { query, parameters = [] } = JSON.parse(body) as { query: string; parameters?: readonly Parameter[] };
  const key = headers.get("x-ms-documentdb-partitionkey");
  const [partitionKey] = key === undefined ? [] : (JSON.parse(key) as readonly string[]);
  return { text: query, parameters, partitionKey };
}
