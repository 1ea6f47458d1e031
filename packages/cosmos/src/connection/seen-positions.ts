/**
 * How far this process has seen each physical partition. The SDK sends it with each request as session tokens, which keep
 * replicas that lag behind from answering. But it gives up all tokens of a container at once (http-client.HC1),
 * and the next answers could be older than what the process has acted on. Every answer names the position of its replica,
 * so it is checked here (docs/decisions/cosmos-replicas.md).
 *
 * - seen-positions.SP1: A read is answered by a replica that has reached what the process had seen of the partition
 *   when it sent the request. The SDK does not get an older answer, so it cannot take the older position for its
 *   session either.
 * - seen-positions.SP2: Positions of a container that was created again, and those under a higher version, which a
 *   failover begins, are not compared with earlier ones: they count anew.
 * - seen-positions.SP3: A position that no answer reaches for a minute is forgotten. Writes may be lost without a new
 *   version, and the partition would be unreadable until the process is started again. A minute is the sum of the times
 *   between older answers, of which each counts for a few seconds at most, so that no clock that is set forward ends
 *   it.
 * - seen-positions.SP4: A refused write names the position that it met, but not its container, so the SDK does not take
 *   it. It is noted as one of the container that is known, and session tokens that are behind it are replaced.
 */
import type { PipelineRequest, PipelineResponse } from "@azure/core-rest-pipeline";
import type { Clock } from "@duroxide-ts/core";

/** Position of a physical partition: the number of its last write, and the version under which it was counted. */
interface Position {
  readonly version: number;
  readonly lsn: number;
  readonly token: string;
}

/** Positions by the id of the physical partition. */
type Positions = ReadonlyMap<string, Position>;

/** Known positions of a container. An object never changes, so a request can keep what was known when it was sent. */
export interface Seen {
  /** Undefined before an answer has named it. */
  readonly containerRid: string | undefined;
  readonly positions: Positions;
}

const SESSION_TOKEN = "x-ms-session-token";
const CONTAINER_RID = "x-ms-content-path";

/** seen-positions.SP3. */
const LONGEST_BEHIND_MS = 60_000;
const MOST_BETWEEN_MS = 5_000;

interface Behind {
  /** Time of the last answer that was too old. */
  readonly lastMs: number;
  /** Duration for which all answers have been too old. */
  readonly forMs: number;
}

export class SeenPositions {
  readonly #clock: Clock;
  /** Known positions by the path of the container. */
  readonly #seen = new Map<string, Seen>();
  /** Partitions whose answers are too old, by path of the container and id. */
  readonly #behind = new Map<string, Behind>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Prepares a request (seen-positions.SP4). Returns what is to be kept until its response is there. */
  before(request: PipelineRequest): Seen | undefined {
    const seen = this.#seen.get(containerIn(request.url) ?? "");
    const asked = request.headers.get(SESSION_TOKEN);
    if (seen !== undefined && asked !== undefined && isRead(request)) {
      request.headers.set(SESSION_TOKEN, raised(asked, seen.positions));
    }
    return seen;
  }

  /**
   * Takes note of an answer; false if it is too old for a request that was sent when this was `seen`
   * (seen-positions.SP1).
   */
  admits(request: PipelineRequest, response: PipelineResponse, seen: Seen | undefined): boolean {
    const container = containerIn(request.url);
    const answered = positionsIn(response.headers.get(SESSION_TOKEN));
    if (container === undefined || answered.size === 0) return true;
    const rid = response.headers.get(CONTAINER_RID);
    if (seen !== undefined && isOf(seen, rid) && isAnswerToRead(request, response)) {
      if (this.#isBehind(container, answered, seen.positions)) return false;
    }
    this.#remember(container, rid, answered);
    return true;
  }

  #isBehind(container: string, answered: Positions, seen: Positions): boolean {
    let isBehind = false;
    for (const [range, position] of answered) {
      const key = `${container} ${range}`;
      const known = seen.get(range);
      if (known === undefined || !isBefore(position, known)) {
        this.#behind.delete(key);
      } else if (this.#isForgotten(key)) this.#forget(container, range);
      else isBehind = true;
    }
    return isBehind;
  }

  #isForgotten(key: string): boolean {
    const nowMs = this.#clock.now();
    const { lastMs, forMs } = this.#behind.get(key) ?? { lastMs: nowMs, forMs: 0 };
    const behind = { lastMs: nowMs, forMs: forMs + Math.min(Math.max(0, nowMs - lastMs), MOST_BETWEEN_MS) };
    this.#behind.set(key, behind);
    return behind.forMs >= LONGEST_BEHIND_MS;
  }

  #forget(container: string, range: string): void {
    const seen = this.#seen.get(container);
    if (seen === undefined) return;
    const positions = new Map(seen.positions);
    positions.delete(range);
    this.#seen.set(container, { ...seen, positions });
  }

  #remember(container: string, rid: string | undefined, answered: Positions): void {
    const known = this.#seen.get(container);
    const isSame = known !== undefined && isOf(known, rid);
    const positions = isSame ? known.positions : new Map<string, Position>();
    const containerRid = isSame ? (known.containerRid ?? rid) : rid;
    const newer = [...answered].filter(([range, position]) => {
      const earlier = positions.get(range);
      return earlier === undefined || isBefore(earlier, position);
    });
    if (newer.length === 0 && containerRid === known?.containerRid) return;
    this.#seen.set(container, { containerRid, positions: new Map([...positions, ...newer]) });
  }
}

/** The path of the container whose documents or stored procedures a request is about. */
function containerIn(url: string): string | undefined {
  return /\/dbs\/[^/]+\/colls\/[^/]+(?=\/(?:docs|sprocs)\b)/.exec(url)?.[0];
}

/** Whether an answer from this container, or from one that it does not name, is about the same container. */
function isOf({ containerRid }: Seen, rid: string | undefined): boolean {
  return rid === undefined || containerRid === undefined || rid === containerRid;
}

function isAnswerToRead(request: PipelineRequest, { status, headers }: PipelineResponse): boolean {
  const isAbsent = status === 404 && Number(headers.get("x-ms-substatus") ?? 0) === 0;
  return isRead(request) && (status < 400 || isAbsent);
}

function isRead({ method, headers }: PipelineRequest): boolean {
  return method === "GET" || headers.get("x-ms-documentdb-isquery")?.toLowerCase() === "true";
}

/** Session tokens without those that are behind the positions. */
function raised(sessionTokens: string, positions: Positions): string {
  const tokens = [...positionsIn(sessionTokens)].map(([range, position]) => {
    const known = positions.get(range);
    return known !== undefined && isBefore(position, known) ? known.token : position.token;
  });
  return tokens.join(",");
}

/** seen-positions.SP2. */
function isBefore(position: Position, known: Position): boolean {
  if (position.version !== known.version) return position.version < known.version;
  return position.lsn < known.lsn;
}

/** `id:version#lsn`, maybe with positions of regions, several of them separated by commas; or `id:lsn`. */
function positionsIn(header: string | undefined): Positions {
  const positions = new Map<string, Position>();
  for (const token of (header ?? "").split(",")) {
    const parts = /^\s*([^:]+):(?:(-?\d+)#)?(\d+)(?:#|\s*$)/.exec(token);
    if (parts === null) continue;
    const [, range = "", version = "-1", lsn = ""] = parts;
    positions.set(range, { version: Number(version), lsn: Number(lsn), token: token.trim() });
  }
  return positions;
}
