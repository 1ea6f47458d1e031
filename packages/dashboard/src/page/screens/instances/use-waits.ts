/**
 * Reads the waits of the rows of the list.
 *
 * - use-waits.WT1: Only rows that run and that the window shows are read, a few at a time.
 * - use-waits.WT2: A row is read again only after it has changed: until then it waits for the same.
 * - use-waits.WT3: Where reads cost request units, no row is read again before the pace of the page allows it.
 */
import { useEffect, useState } from "preact/hooks";
import { get } from "../../browser/api.ts";
import { spend, usePause } from "../../browser/pace.ts";
import { type InstanceRow, MOST_WAITS, type RowWaits, type WaitsView } from "../../shapes/instances.ts";

interface Known {
  /** Time of the last change of the row that was read. */
  readonly updatedAtMs: number;
  /** Absent where the read failed. */
  readonly waits?: RowWaits;
}

type KnownRows = ReadonlyMap<string, Known>;

/** Returns the waits by id. Nothing is read while `isOn` is false. */
export function useWaits(rows: readonly InstanceRow[], isOn: boolean): ReadonlyMap<string, RowWaits> {
  const [known, setKnown] = useState<KnownRows>(new Map());
  const seen = useSeen(rows, isOn);
  const isPaused = usePause();
  const wanted = rows
    .filter(({ id, state }) => isOn && state === "running" && seen.has(id))
    .filter(({ id, updatedAtMs }) =>
      known.has(id) ? known.get(id)?.updatedAtMs !== updatedAtMs && !isPaused : true,
    )
    .slice(0, MOST_WAITS);
  const key = JSON.stringify(wanted.map(({ id, updatedAtMs }) => [id, updatedAtMs]));
  useEffect(() => {
    if (wanted.length === 0) return undefined;
    const gone = new AbortController();
    const keep = (found: readonly RowWaits[]): void => {
      if (!gone.signal.aborted) setKnown((before) => merged(before, wanted, found));
    };
    const query = new URLSearchParams(wanted.map(({ id }) => ["id", id]));
    get<WaitsView>(`waits?${query}`, gone.signal).then(
      (view) => {
        spend(view.requestUnits ?? 0);
        keep(view.rows);
      },
      () => keep([]),
    );
    return () => gone.abort();
  }, [key]);
  return new Map([...known].flatMap(([id, { waits }]) => (waits === undefined ? [] : [[id, waits]])));
}

function merged(before: KnownRows, wanted: readonly InstanceRow[], found: readonly RowWaits[]): KnownRows {
  const byId = new Map(found.map((one) => [one.id, one]));
  const next = new Map(before);
  for (const { id, updatedAtMs } of wanted) {
    const waits = byId.get(id);
    next.set(id, { updatedAtMs, ...(waits !== undefined && { waits }) });
  }
  return next;
}

/** The ids of rows that the window has shown since they are listed. */
function useSeen(rows: readonly InstanceRow[], isOn: boolean): ReadonlySet<string> {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const key = JSON.stringify(rows.map(({ id }) => id));
  useEffect(() => {
    if (!isOn) return undefined;
    const observer = new IntersectionObserver((entries) => {
      const ids = entries
        .filter(({ isIntersecting }) => isIntersecting)
        .flatMap(({ target }) => (target instanceof HTMLElement ? [target.dataset["id"] ?? ""] : []));
      if (ids.length > 0) setSeen((before) => new Set([...before, ...ids]));
    });
    for (const row of document.querySelectorAll("table.instances tbody tr")) observer.observe(row);
    return () => observer.disconnect();
  }, [key, isOn]);
  return seen;
}
