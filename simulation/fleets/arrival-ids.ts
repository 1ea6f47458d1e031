/** The instance ids of arrivals, and in which physical partition each lies. It is asked for before any is throttled. */
import type { PipelineRequest, PipelineResponse } from "@azure/core-rest-pipeline";
import type { CosmosProvider } from "@duroxide-ts/cosmos";
import type { Chance } from "../world/chance.ts";

/** The physical partition that may be throttled. */
export const THROTTLED_RANGE = "0";

const AT_A_TIME = 50;

export class ArrivalIds {
  readonly #chance: Chance;
  readonly #ids: string[] = [];
  readonly #ranges = new Map<string, string>();

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** Reads documents that do not exist: the answers name the physical partition. */
  async prepare(provider: CosmosProvider, count: number): Promise<void> {
    while (this.#ids.length < count) {
      const some = Array.from({ length: AT_A_TIME }, () => `order-${this.#chance.uuid()}`);
      await Promise.all(some.map((id) => provider.getInstanceStatus(id)));
      this.#ids.push(...some);
    }
  }

  /** Notes the partition of an id. Called with each request of the client. */
  note(request: PipelineRequest, { headers }: PipelineResponse): void {
    const [id] = JSON.parse(request.headers.get("x-ms-documentdb-partitionkey") ?? "[]") as readonly string[];
    const range = headers.get("x-ms-documentdb-partitionkeyrangeid");
    if (id !== undefined && range !== undefined) this.#ranges.set(id, range);
  }

  next(): string {
    return this.#ids.shift() ?? `order-${this.#chance.uuid()}`;
  }

  /** Takes at most so many ids of the partition that may be throttled; fewer if there are fewer. */
  takeThrottled(most: number): readonly string[] {
    const found = this.#ids.filter((id) => !this.isElsewhere(id)).slice(0, most);
    for (const id of found) this.#ids.splice(this.#ids.indexOf(id), 1);
    return found;
  }

  /** Known not to be in the partition that may be throttled. */
  isElsewhere(id: string): boolean {
    const range = this.#ranges.get(id);
    return range !== undefined && range !== THROTTLED_RANGE;
  }
}
