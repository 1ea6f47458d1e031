/** The list of physical partitions during a split: it may have a partition beside those that replace it. */
import type { PipelineRequest, PipelineResponse } from "@azure/core-rest-pipeline";
import { orchestration } from "@duroxide-ts/core";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { expect, it } from "vitest";
import { startEnvironment } from "../../../../test/support/environment.ts";
import { cosmosOn } from "../../../../test/support/stores/cosmos.ts";

interface Ranges {
  readonly PartitionKeyRanges: readonly { readonly id: string; readonly parents?: readonly string[] }[];
}

/** The partition "0" answers like its successors, as long as it is listed. */
async function withParent(
  request: PipelineRequest,
  next: (request: PipelineRequest) => Promise<PipelineResponse>,
): Promise<PipelineResponse> {
  const response = await next(request);
  if (!new URL(request.url).pathname.endsWith("/pkranges")) return response;
  const body = JSON.parse(response.bodyAsText ?? "") as Ranges;
  const ranges = body.PartitionKeyRanges.map((range) => ({ ...range, parents: ["replaced"] }));
  const replaced = { ...ranges[0], id: "replaced", parents: [] };
  return { ...response, bodyAsText: JSON.stringify({ ...body, PartitionKeyRanges: [replaced, ...ranges] }) };
}

it("a partition that others replace is not asked", async () => {
  await using emulator = await CosmosEmulator.start({ port: 0, physicalPartitions: 2 });
  const asked = new Set<string>();
  const store = cosmosOn(emulator, {}, (request, next) => {
    asked.add(request.headers.get("x-ms-documentdb-partitionkeyrangeid") ?? "");
    return withParent(request, next);
  });
  const idle = orchestration("idle", async () => 1);
  await using env = await startEnvironment({ store, orchestrations: [idle] });

  expect(await env.run(idle)).toBe(1);
  await env.advance(20_000);

  expect(asked.has("replaced")).toBe(false);
  expect(asked.size).toBeGreaterThan(2);
});
