/**
 * Session tokens after a failover. The store continues its count of writes; only the positions that callers see begin
 * again, under a higher version (docs/reference/cosmos-protocol.md §1.11).
 */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { parseTokens, type SessionPosition } from "../headers/session-token.ts";

interface Epoch {
  readonly version: number;
  /** What is taken off the position of each partition. */
  readonly bases: ReadonlyMap<string, number>;
}

export class Failovers {
  /** By database and container. */
  readonly #epochs = new Map<string, Epoch>();

  /** `positions`: of the last write of each partition. */
  declare(database: string, container: string, positions: ReadonlyMap<string, number>): void {
    const key = keyOf(database, container);
    const version = (this.#epochs.get(key)?.version ?? 0) + 1;
    const bases = new Map([...positions].map(([range, lsn]) => [range, lsn - 1]));
    this.#epochs.set(key, { version, bases });
  }

  /**
   * The tokens of a request as the store understands them; throws 404/1002 where one of an older version is ahead.
   * `positionOf` is asked for the store's own positions.
   */
  incoming(
    database: string,
    container: string,
    header: string | undefined,
    positionOf: (range: string) => number | undefined,
  ): string | undefined {
    const epoch = this.#epochs.get(keyOf(database, container));
    if (epoch === undefined || header === undefined) return header;
    const understood = parseTokens(header).flatMap(({ range, version, lsn }): string[] => {
      const base = epoch.bases.get(range) ?? 0;
      if (version === epoch.version) return [`${range}:-1#${lsn + base}`];
      const position = (positionOf(range) ?? Number.POSITIVE_INFINITY) - base;
      if (lsn > position) throw olderThanToken({ range, version, lsn }, position);
      return [];
    });
    return understood.join(",");
  }

  /** The tokens of an answer as its caller sees them. */
  outgoing(database: string, container: string, header: string): string {
    const epoch = this.#epochs.get(keyOf(database, container));
    if (epoch === undefined) return header;
    return parseTokens(header)
      .map(({ range, lsn }) => `${range}:${epoch.version}#${lsn - (epoch.bases.get(range) ?? 0)}`)
      .join(",");
  }
}

function keyOf(database: string, container: string): string {
  return JSON.stringify([database, container]);
}

function olderThanToken({ range, lsn }: SessionPosition, position: number): CosmosError {
  return CosmosError.notFound(
    `The read session is not available for the input session token: it wants position ${lsn} of partition ${range} from before a failover, which is at ${position}.`,
    { substatus: 1002 },
  );
}
