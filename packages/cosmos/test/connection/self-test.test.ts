/** An endpoint whose batches are not atomic or ignore ETags is refused when a provider connects (src/connection/self-test.ts). */
import type { PipelineResponse } from "@azure/core-rest-pipeline";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import type { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Intercept } from "../../src/connection/http-client.ts";
import { allDocuments, rawContainer } from "../invariants/documents.ts";
import { startEndpoint } from "./fixture.ts";

let emulator: CosmosEmulator;
beforeAll(async () => {
  emulator = await startEndpoint();
});
afterAll(() => emulator[Symbol.asyncDispose]());

const isBatch = (request: Parameters<Intercept>[0]): boolean =>
  request.headers.has("x-ms-cosmos-is-batch-request");

async function documents(): Promise<readonly unknown[]> {
  using raw = rawContainer(emulator.connectionString, "duroxide", "duroxide");
  return allDocuments(raw.container);
}

async function connectThrough(intercept: Intercept): Promise<void> {
  const { connectionString } = emulator;
  await using _provider = await CosmosProvider.connectThrough({ connectionString }, intercept);
}

it("an endpoint that is right is accepted, and nothing is left there", async () => {
  await connectThrough((request, next) => next(request));
  expect(await documents()).toEqual([]);
});

it.each<[string, RegExp, Intercept]>([
  [
    "ignores ETags in batches",
    /stores a batch whose ETag is wrong/,
    (request, next) => {
      if (isBatch(request)) request.body = String(request.body).replaceAll('"ifMatch"', '"ignored"');
      return next(request);
    },
  ],
  [
    "stores what comes before the refused operation",
    /stores a part of a batch that it refuses/,
    (request, next) => {
      if (isBatch(request)) request.headers.delete("x-ms-cosmos-batch-atomic");
      return next(request);
    },
  ],
  [
    "refuses with another status",
    /with 400 instead of 412/,
    async (request, next): Promise<PipelineResponse> => {
      const response = await next(request);
      if (!isBatch(request)) return response;
      return { ...response, bodyAsText: response.bodyAsText?.replaceAll("412", "400") ?? "" };
    },
  ],
  [
    "names no position where it refuses",
    /does not name its position/,
    async (request, next): Promise<PipelineResponse> => {
      const response = await next(request);
      if (isBatch(request)) response.headers.delete("x-ms-session-token");
      return response;
    },
  ],
])("an endpoint that %s is refused, and nothing is left there", async (_, message, intercept) => {
  await expect(connectThrough(intercept)).rejects.toMatchObject({
    code: "cannot-open",
    message: expect.stringMatching(message),
  });
  expect(await documents()).toEqual([]);
});

it("an account of Azure is sent one batch, which is refused", async () => {
  const { key } = emulator;
  const statuses: number[] = [];
  await using _provider = await CosmosProvider.connectThrough(
    { endpoint: "https://account.documents.azure.com", key, membership: false },
    async (request, next) => {
      request.url = request.url.replace(/^https:\/\/[^/]*/, emulator.endpoint.replace(/\/$/, ""));
      request.allowInsecureConnection = true;
      delete request.agent;
      const response = await next(request);
      if (/\/docs\b/.test(request.url)) statuses.push(response.status);
      return response;
    },
  );
  expect(statuses).toEqual([207]);
});
