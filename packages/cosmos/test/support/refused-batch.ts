/** The answer of the service to a batch of which it refuses one operation: nothing of the batch is carried out. */
import { createHttpHeaders, type PipelineRequest, type PipelineResponse } from "@azure/core-rest-pipeline";

export interface SentOperation {
  readonly operationType: string;
  readonly id?: string;
  readonly resourceBody?: {
    readonly type?: string;
    readonly id?: string;
    readonly lockToken?: string | null;
  };
}

export interface Refusal {
  /** Index of the operation. */
  readonly index: number;
  readonly status: number;
  readonly substatus?: number;
}

/** None where the request is no batch. */
export function operationsIn({ headers, body }: PipelineRequest): readonly SentOperation[] {
  if (!headers.has("x-ms-cosmos-is-batch-request")) return [];
  return JSON.parse(String(body)) as readonly SentOperation[];
}

const FAILED_DEPENDENCY = 424;

export function refused(
  request: PipelineRequest,
  { index, status, substatus = 0 }: Refusal,
): PipelineResponse {
  const results = operationsIn(request).map((_, at) => ({
    statusCode: at === index ? status : FAILED_DEPENDENCY,
    requestCharge: 0,
  }));
  const headers = createHttpHeaders({ "x-ms-substatus": String(substatus), "x-ms-request-charge": "1" });
  return { request, status: 207, headers, bodyAsText: JSON.stringify(results) };
}
