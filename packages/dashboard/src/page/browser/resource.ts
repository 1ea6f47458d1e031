/**
 * A read of the API that is repeated while the page is live and visible.
 *
 * 1. One request at a time; the next one begins when the answer of the last was shown.
 * 2. Data that was shown stays when a later read fails, with the error and the time of the data beside it.
 * 3. An answer to an address that is no longer wanted is not shown.
 * 4. What could not be read is read again, also where data is read once.
 * 5. A page that is hidden reads nothing, and reads at once when it is seen.
 * 6. What costs request units is read again at the pace of the page (pace.ts).
 */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiError, get } from "./api.ts";
import { serverNow } from "./clock.ts";
import { useLive } from "./live.ts";
import { afterPause, spend } from "./pace.ts";
import { isHidden, whenVisible } from "./visibility.ts";

/** Delay before a read that is not repeated is tried again, where the store or the server did not answer. */
const RETRY_MS = 5_000;

export interface Resource<T> {
  readonly data: T | undefined;
  readonly error: ApiError | undefined;
  /** Time at which the data was read. */
  readonly readAtMs: number;
  /** The data belongs to another address; that of this one is on its way. */
  readonly isOld: boolean;
  reload(): void;
}

interface Known<T> {
  readonly path: string | undefined;
  readonly data: T | undefined;
  readonly error: ApiError | undefined;
  readonly readAtMs: number;
}

export interface ResourceOptions {
  /** Least time until it is read again, ms; it is read once by default. */
  readonly everyMs?: number;
  /** Shows the data of the last address until that of a new one is there. */
  readonly keep?: boolean;
}

export function useResource<T>(
  path: string | undefined,
  { everyMs, keep = false }: ResourceOptions = {},
): Resource<T> {
  const isLive = useLive();
  const [known, setKnown] = useState<Known<T>>(nothing);
  const [turn, setTurn] = useState(0);
  const lastPath = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (path === undefined) return undefined;
    const gone = new AbortController();
    let cancel = (): void => {};
    const again = ({ error }: Read<T>): void => {
      const waitMs = everyMs ?? (mayPass(error) ? RETRY_MS : undefined);
      if (waitMs !== undefined && isLive && !gone.signal.aborted) cancel = afterPause(waitMs, look);
    };
    const show = (read: Read<T>): void => {
      if (gone.signal.aborted) return;
      setKnown((before) => merged(before, read, path));
      again(read);
    };
    const look = (): void => {
      if (isHidden()) cancel = whenVisible(look);
      else readOnce<T>(path, gone.signal).then(show, () => {});
    };
    // A pause keeps what is shown; everything else is a reason to read.
    if (isLive || lastPath.current !== path || turn > 0) look();
    lastPath.current = path;
    return () => {
      gone.abort();
      cancel();
    };
  }, [path, everyMs, isLive, turn]);
  const reload = useCallback(() => setTurn((value) => value + 1), []);
  const isOld = known.path !== path;
  return {
    data: isOld && !keep ? undefined : known.data,
    error: isOld ? undefined : known.error,
    readAtMs: known.readAtMs,
    isOld,
    reload,
  };
}

function nothing<T>(): Known<T> {
  return { path: undefined, data: undefined, error: undefined, readAtMs: 0 };
}

interface Read<T> {
  readonly data?: T;
  readonly error?: ApiError;
}

function unitsOf(answer: unknown): number {
  const isPriced = typeof answer === "object" && answer !== null && "requestUnits" in answer;
  return isPriced && typeof answer.requestUnits === "number" ? answer.requestUnits : 0;
}

/** No answer, or one of a store that is down. */
function mayPass(error: ApiError | undefined): boolean {
  return error !== undefined && (error.status === 0 || error.status === 503);
}

async function readOnce<T>(path: string, signal: AbortSignal): Promise<Read<T>> {
  try {
    const data = await get<T>(path, signal);
    spend(unitsOf(data));
    return { data };
  } catch (error) {
    return { error: error instanceof ApiError ? error : new ApiError(0, "unknown", String(error)) };
  }
}

function merged<T>(before: Known<T>, { data, error }: Read<T>, path: string): Known<T> {
  if (data !== undefined) return { path, data, error: undefined, readAtMs: serverNow() };
  const kept = before.path === path ? before.data : undefined;
  return { path, data: kept, error, readAtMs: before.readAtMs };
}
