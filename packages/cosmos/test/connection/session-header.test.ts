/** The session tokens of a container with more physical partitions than the service has room for in the headers. */
import { CosmosProvider } from "@duroxide-ts/cosmos";
import type { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { startItem } from "@duroxide-ts/provider-tests/building-blocks";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Intercept } from "../../src/connection/http-client.ts";
import { startEndpoint } from "./fixture.ts";

let emulator: CosmosEmulator;
beforeAll(async () => {
  emulator = await startEndpoint();
});
afterAll(() => emulator[Symbol.asyncDispose]());

const SESSION_TOKEN = "x-ms-session-token";

/**
 * Makes tokens like those of the service: 38 characters with the id of the partition, of an account with one region.
 */
function tokens(count: number): string {
  return Array.from(
    { length: count },
    (_, n) => `${1_000 + n}:-1#4${1_000_000_000 + n}#4=${1_000_000_000 + n}`,
  ).join();
}

/** Each answer also has the tokens of so many other partitions. */
function amongPartitions(count: number): Intercept {
  return async (request, next) => {
    const response = await next(request);
    const own = response.headers.get(SESSION_TOKEN);
    if (own !== undefined) response.headers.set(SESSION_TOKEN, `${own},${tokens(count)}`);
    return response;
  };
}

async function connect(container: string, intercept: Intercept): Promise<CosmosProvider> {
  const { connectionString } = emulator;
  return await CosmosProvider.connectThrough({ connectionString, container, membership: false }, intercept);
}

it("a container of three hundred physical partitions is served", async () => {
  await using provider = await connect("three-hundred", amongPartitions(300));
  for (const id of ["a", "b", "c"]) await provider.enqueueForOrchestrator(startItem(id));
  expect(await provider.getInstanceStatus("a")).toBeUndefined();
});

it("a container of six hundred is refused, with the reason and what to do", async () => {
  await using provider = await connect("six-hundred", amongPartitions(600));
  await provider.enqueueForOrchestrator(startItem("a"));
  await expect(provider.enqueueForOrchestrator(startItem("b"))).rejects.toMatchObject({
    code: "internal",
    message: expect.stringMatching(/session token.*about 300; merge/),
  });
});

it("the page of HTML before the service's gateway has the same advice", async () => {
  let isOn = false;
  await using provider = await connect("html", async (request, next) => {
    const response = await next(request);
    const bodyAsText =
      "<HTML><HEAD><TITLE>Bad Request</TITLE></HEAD><BODY><h2>Bad Request - Request Too Long</h2></BODY></HTML>";
    return isOn ? { ...response, status: 400, bodyAsText } : response;
  });
  isOn = true;
  await expect(provider.enqueueForOrchestrator(startItem("a"))).rejects.toMatchObject({
    message: expect.stringContaining("about 300"),
  });
  isOn = false;
});
