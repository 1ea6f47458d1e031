/**
 * Session tokens after failovers. The store continues its count of writes; only the positions that callers see begin
 * again, under a higher version (docs/reference/cosmos-protocol.md §1.11). A replica that lags behind the failover still
 * answers under the version of before.
 */
import type { Container } from "../../engine/index.ts";
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { parseTokens, type SessionPosition } from "../headers/session-token.ts";

interface Epoch {
  readonly version: number;
  /** Number that is taken off the position of each partition. */
  readonly bases: ReadonlyMap<string, number>;
}

/** The service writes -1 for a region that was always the only one. */
const BEFORE_ALL: Epoch = { version: -1, bases: new Map() };

export class Failovers {
  /** Epochs by the `_rid` of the container, the latest first. */
  readonly #epochs = new Map<string, readonly Epoch[]>();

  get isEmpty(): boolean {
    return this.#epochs.size === 0;
  }

  declare(container: Container): void {
    const epochs = this.#epochs.get(container.rid) ?? [];
    const bases = new Map(container.partitionKeyRanges().map(({ id, lsn }) => [id, lsn - 1]));
    this.#epochs.set(container.rid, [{ version: epochs.length + 1, bases }, ...epochs]);
  }

  /** Translates the tokens of a request into the store's; throws 404/1002 where one of an older version is ahead. */
  incoming(container: Container, header: string): string {
    const [epoch] = this.#epochs.get(container.rid) ?? [];
    if (epoch === undefined) return header;
    const positions = new Map(container.partitionKeyRanges().map(({ id, lsn }) => [id, lsn]));
    const understood = parseTokens(header).flatMap(({ range, version, lsn }): string[] => {
      const base = baseOf(epoch, range);
      if (version === epoch.version) return [`${range}:-1#${lsn + base}`];
      const position = (positions.get(range) ?? Number.POSITIVE_INFINITY) - base;
      if (lsn > position) throw olderThanToken({ range, version, lsn }, position);
      return [];
    });
    return understood.join(",");
  }

  /** Translates the tokens of an answer into those that its caller sees. */
  outgoing(container: Container, header: string): string {
    const epochs = this.#epochs.get(container.rid);
    if (epochs === undefined) return header;
    return parseTokens(header)
      .map(({ range, lsn }) => {
        const epoch = epochs.find((each) => lsn > baseOf(each, range)) ?? BEFORE_ALL;
        return `${range}:${epoch.version}#${lsn - baseOf(epoch, range)}`;
      })
      .join(",");
  }
}

function baseOf({ bases }: Epoch, range: string): number {
  return bases.get(range) ?? 0;
}

function olderThanToken({ range, lsn }: SessionPosition, position: number): CosmosError {
  return CosmosError.notFound(
    `The read session is not available for the input session token: it wants position ${lsn} of partition ${range} from before a failover, which is at ${position}.`,
    { substatus: 1002 },
  );
}
