/** Troubles of physical partitions, regions and connections, one at a time. */
import type { ContainerNames, InProcessEndpoint } from "@duroxide-ts/cosmos-emulator";
import type { CosmosFault, Fault } from "../faults/fault.ts";
import type { FaultLog } from "../faults/fault-log.ts";
import type { Chance } from "../world/chance.ts";
import type { World } from "../world/world.ts";
import type { Rules } from "./rules.ts";

export interface PartitionTroublesParts {
  readonly world: World;
  readonly endpoint: InProcessEndpoint;
  readonly names: ContainerNames;
  readonly enabled: ReadonlySet<Fault>;
  readonly chance: Chance;
  readonly log: FaultLog;
  /** Rules of the endpoint that belong to a fault. */
  readonly rules: Rules;
  /** Processes cannot reach the service for so long. */
  readonly cut: (forMs: number) => void;
  /** A process dies at one of the next batches. */
  readonly dieSoon: () => void;
}

const MOST_PARTITIONS = 6;

export class PartitionTroubles {
  readonly #parts: PartitionTroublesParts;

  constructor(parts: PartitionTroublesParts) {
    this.#parts = parts;
  }

  /** Begins one, and says which. */
  next(): string | undefined {
    const { enabled, chance, cut, dieSoon } = this.#parts;
    const kinds: [CosmosFault, () => void][] = [];
    if (enabled.has("partitions")) kinds.push(["partitions", () => this.#change()]);
    if (enabled.has("failover")) kinds.push(["failover", () => this.#failover()]);
    if (enabled.has("throttled-partition")) kinds.push(["throttled-partition", () => this.#throttle()]);
    if (enabled.has("outage")) kinds.push(["outage", () => this.#outage()]);
    if (enabled.has("cut")) kinds.push(["cut", () => cut(chance.pick([500, 3_000, 12_000]))]);
    if (enabled.has("lagging-replica")) kinds.push(["lagging-replica", () => this.#lag()]);
    if (enabled.has("death-at-batch")) kinds.push(["death-at-batch", dieSoon]);
    const [first, ...others] = kinds;
    if (first === undefined) return undefined;
    const [name, begin] = chance.pick([first, ...others]);
    begin();
    return name;
  }

  #change(): void {
    const { world, endpoint, names, chance, log } = this.#parts;
    const { partitions } = endpoint;
    const ids = partitions.list(names);
    const completingMs = chance.pick([0, 100, 2_000]);
    const range = this.#any();
    const kind = chance.below(3);
    const at = chance.below(Math.max(1, ids.length - 1));
    const changing =
      kind === 0
        ? partitions.migrate({ ...names, range, forMs: 100 + completingMs })
        : ids.length > 1 && (kind === 1 || ids.length > MOST_PARTITIONS)
          ? partitions.merge({ ...names, ranges: ids.slice(at, at + 2), completingMs })
          : partitions.split({ ...names, range, completingMs });
    log.add("partitions", "partition");
    // Another change may have taken the partition away meanwhile.
    changing.catch((error: unknown) => world.trace.add(`no change: ${String(error)}`));
  }

  #failover(): void {
    const { endpoint, names, log } = this.#parts;
    endpoint.partitions.failover(names);
    log.add("failover", "partition");
  }

  #throttle(): void {
    const { world, rules, chance } = this.#parts;
    const rule = rules.add("throttled-partition", {
      match: { range: this.#any() },
      effect: { kind: "error", status: 429, retryAfterMs: 100 },
    });
    world.schedule(chance.pick([500, 3_000, 8_000]), undefined, "unthrottled", () => rules.remove(rule));
  }

  /**
   * A replica falls behind the session tokens of reads, which are refused then, and a read without a token sees the past.
   * After some refusals in a row the client library drops its token (docs/decisions/cosmos-replicas.md).
   */
  #lag(): void {
    const { world, endpoint, rules, chance } = this.#parts;
    const refusing = rules.add("lagging-replica", {
      match: { operation: "read" },
      rate: chance.pick([0.3, 0.6]),
      effect: { kind: "error", status: 404, substatus: 1002 },
    });
    // Most reads have a token, which bounds how far they see back: these are not hit.
    const lagging = endpoint.faults.add({
      match: { operation: "read" },
      effect: { kind: "staleRead", writesBehind: chance.pick([3, 10, 30]) },
    });
    world.schedule(chance.pick([1_000, 4_000]), undefined, "caught up", () => {
      rules.remove(refusing);
      endpoint.faults.remove(lagging);
    });
  }

  #outage(): void {
    const { world, rules, chance } = this.#parts;
    const rule = rules.add("outage", { effect: { kind: "error", status: 503 } });
    world.schedule(chance.pick([500, 3_000, 12_000]), undefined, "back", () => rules.remove(rule));
  }

  #any(): string {
    const { endpoint, names, chance } = this.#parts;
    const ids = endpoint.partitions.list(names);
    return ids[chance.below(ids.length)] ?? "0";
  }
}
