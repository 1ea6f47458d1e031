/** A provider that is told a range that does not exist, as if it had known the container from before a split. */
import type { PipelineRequest, PipelineResponse } from "@azure/core-rest-pipeline";
import type { Intercept } from "../../src/connection/http-client.ts";
import type { Stage } from "../stage.ts";

/** How long it took from the service's refusal until the work was found, ms. */
export async function recoversFromGoneRange(stage: Stage, goneRange: string): Promise<number> {
  const stale = new StaleRanges(goneRange);
  await using provider = await stage.connect({ membership: false }, stale.intercept);
  const instanceId = stage.partition("recovery");
  // From another process, so that only a search finds it.
  await using sender = await stage.connect({ membership: false });
  await sender.enqueueForOrchestrator({
    kind: "StartOrchestration",
    instance: instanceId,
    orchestration: "probe",
    input: "null",
    version: null,
    parent_instance: null,
    parent_id: null,
    execution_id: 1,
  });
  const untilMs = performance.now() + stage.scale.patienceMs;
  while (performance.now() < untilMs) {
    const fetched = await provider
      .fetchOrchestrationItem({ lockTimeoutMs: 30_000, pollTimeoutMs: 1_000 })
      .catch(() => undefined);
    if (fetched?.item.instanceId !== instanceId) continue;
    if (stale.refusedMs === undefined) throw new Error("the provider never asked the range that is gone");
    return performance.now() - stale.refusedMs;
  }
  throw new Error("the provider found no work");
}

/** The first answer about ranges names one that is gone; what follows is the service's own. */
class StaleRanges {
  refusedMs: number | undefined;
  readonly #goneRange: string;
  #hasLied = false;

  constructor(goneRange: string) {
    this.#goneRange = goneRange;
  }

  readonly intercept: Intercept = async (request, next) => {
    const response = await next(request);
    if (response.status === 410) this.refusedMs ??= performance.now();
    return isAboutRanges(request) && !this.#hasLied ? this.#lie(response) : response;
  };

  #lie(response: PipelineResponse): PipelineResponse {
    const body = JSON.parse(response.bodyAsText ?? "{}") as { PartitionKeyRanges?: readonly object[] };
    const [first] = body.PartitionKeyRanges ?? [];
    if (first === undefined) return response;
    this.#hasLied = true;
    const only = { ...first, id: this.#goneRange, minInclusive: "", maxExclusive: "FF" };
    return { ...response, bodyAsText: JSON.stringify({ ...body, PartitionKeyRanges: [only], _count: 1 }) };
  }
}

function isAboutRanges({ url }: PipelineRequest): boolean {
  return new URL(url).pathname.endsWith("/pkranges");
}
