/**
 * Blobs in Azure Blob Storage. The server speaks as much of its HTTP interface as is used, and the client fails as that
 * of `@azure/storage-blob` does: an answer to a HEAD request has its code in `details` only.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { azureBlobStore, type BlobContainer } from "../../src/offload/index.ts";

const blobs = new Map<string, Buffer>();
const server = createServer((request, response) => void serve(request, response));
let address = "";

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = "", headers } = request;
  const blob = blobs.get(url);
  if (!url.startsWith("/payloads/")) fail(response, 404, "ContainerNotFound");
  else if (headers["authorization"] !== "Bearer good") fail(response, 403, "AuthorizationFailure");
  else if (method === "PUT") {
    blobs.set(url, await buffer(request));
    response.writeHead(201).end();
  } else if (blob === undefined) fail(response, 404, "BlobNotFound");
  else response.writeHead(200, { "content-length": blob.length }).end(method === "HEAD" ? undefined : blob);
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { "x-ms-error-code": code }).end();
}

function containerAt(name: string, token = "good"): BlobContainer {
  const send = async (blob: string, init: RequestInit): Promise<Response> => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${address}/${name}/${blob}`, { ...init, headers });
    if (answer.ok) return answer;
    const errorCode = answer.headers.get("x-ms-error-code");
    const seen = init.method === "HEAD" ? {} : { code: errorCode };
    throw Object.assign(new Error("RestError"), {
      statusCode: answer.status,
      details: { errorCode },
      ...seen,
    });
  };
  return {
    getBlockBlobClient: (blob) => ({
      upload: async (body, contentLength) => {
        expect(contentLength).toBe(body.byteLength);
        await send(blob, { method: "PUT", body: Buffer.from(body) });
      },
      downloadToBuffer: async () => {
        await send(blob, { method: "HEAD" });
        return Buffer.from(await (await send(blob, { method: "GET" })).arrayBuffer());
      },
    }),
  };
}

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => blobs.clear());
afterAll(() => void server.close());

const KEY = "ab".repeat(32);

describe("a container of Azure Blob Storage", () => {
  it("keeps blobs under the prefix", async () => {
    const store = azureBlobStore(containerAt("payloads"), { prefix: "orders/" });
    const content = Buffer.from([0, 255, 1, 254]);
    await store.put(KEY, content);
    await store.put(KEY, content);
    expect([...blobs.keys()]).toEqual([`/payloads/orders/${KEY}`]);
    expect(Buffer.from((await store.get(KEY)) ?? [])).toEqual(content);
  });

  it("says that a blob is missing", async () => {
    expect(await azureBlobStore(containerAt("payloads")).get(KEY)).toBeUndefined();
  });

  it.each([
    ["does not exist", containerAt("other"), 404],
    ["refuses the caller", containerAt("payloads", "bad"), 403],
  ])("that %s is an error, and no missing blob", async (_what, container, statusCode) => {
    const store = azureBlobStore(container);
    await expect(store.get(KEY)).rejects.toMatchObject({ statusCode });
    await expect(store.put(KEY, Buffer.from("x"))).rejects.toMatchObject({ statusCode });
  });
});
