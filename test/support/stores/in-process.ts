/**
 * The local endpoint of Cosmos DB in the process of the tests, without sockets: a request costs half as much as through
 * HTTP. What HTTP adds has tests of its own, and in `npm run dev -- test:deep` these stores are behind it too.
 */
import { createHttpHeaders, type PipelineRequest, type PipelineResponse } from "@azure/core-rest-pipeline";
import { type InProcessAnswer, InProcessEndpoint, type InProcessRequest } from "@duroxide-ts/cosmos-emulator";

export type SendRequest = (request: PipelineRequest) => Promise<PipelineResponse>;

/** Opens an endpoint in the time of the machine. */
export function openInProcess(physicalPartitions = 1, requestLogSize = 0): InProcessEndpoint {
  return new InProcessEndpoint({
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    newId: () => crypto.randomUUID(),
    random: () => Math.random(),
    wait: (delayMs, signal) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, delayMs);
        signal?.addEventListener("abort", () => {
          clearTimeout(timer);
          resolve();
        });
      }),
    physicalPartitions,
    requestLogSize,
  });
}

export function connectionStringOf({ endpoint, key }: InProcessEndpoint): string {
  return `AccountEndpoint=${endpoint};AccountKey=${key};`;
}

/** Carries requests to the endpoint. */
export function requestsTo(endpoint: InProcessEndpoint): SendRequest {
  return async (request) => {
    if (request.abortSignal?.aborted) throw abortError();
    const aborted = new Promise<never>((_, reject) => {
      request.abortSignal?.addEventListener("abort", () => reject(abortError()));
    });
    const answer = await Promise.race([endpoint.serve(toData(request)), aborted]);
    if (answer === "reset") throw connectionReset();
    return toResponse(request, answer);
  };
}

export function toData({ method, url, headers, body }: PipelineRequest): InProcessRequest {
  const at = url.indexOf("/", "http://".length);
  return {
    method,
    path: at < 0 ? "/" : url.slice(at),
    headers: headers.toJSON(),
    body: typeof body === "string" ? body : "",
  };
}

export function toResponse(
  request: PipelineRequest,
  { status, headers, body }: Exclude<InProcessAnswer, "reset">,
): PipelineResponse {
  const bodyAsText =
    body === undefined ? "" : typeof body === "string" ? body : Buffer.from(body).toString("utf8");
  return { request, status, headers: createHttpHeaders(headers), bodyAsText };
}

export function connectionReset(): Error {
  return Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
}

export function abortError(): Error {
  return Object.assign(new Error("The operation was aborted."), { name: "AbortError" });
}
