/** Compares what the activities did (the ledger) with what the database recorded. */
import { isDeepStrictEqual } from "node:util";
import type { LedgerLine } from "./ledger.ts";
import { type OrderProgress, recorded } from "./progress.ts";

export interface Evidence {
  readonly ledger: readonly LedgerLine[];
  /** Progress that was stored when the first worker was dead. */
  readonly atKill: readonly OrderProgress[];
  readonly atEnd: readonly OrderProgress[];
  readonly secondPid: number;
}

export interface Check {
  readonly ok: boolean;
  readonly text: string;
}

export function check(evidence: Evidence): readonly Check[] {
  return [
    everyOrderFinished(evidence),
    historyIsUnchanged(evidence),
    oneResultEach(evidence),
    nothingRanAgain(evidence),
  ];
}

function everyOrderFinished({ atEnd }: Evidence): Check {
  const finished = atEnd.filter(({ state }) => state === "finished").length;
  return { ok: finished === atEnd.length, text: `${finished} of ${atEnd.length} orders finished.` };
}

function historyIsUnchanged({ atKill, atEnd }: Evidence): Check {
  const before = atKill.flatMap(({ histories }) => [...histories]);
  const after = new Map(atEnd.flatMap(({ histories }) => [...histories]));
  const changed = before.filter(
    ([id, events]) => !isDeepStrictEqual(events, after.get(id)?.slice(0, events.length)),
  );
  const count = before.reduce((sum, [, events]) => sum + events.length, 0);
  const text =
    changed.length === 0
      ? `All ${count} history events from before the kill are still there, unchanged.`
      : `The history of ${changed.map(([id]) => id).join(", ")} is not what it was before the kill.`;
  return { ok: changed.length === 0, text };
}

function oneResultEach({ ledger, atEnd }: Evidence): Check {
  const activities = atEnd.flatMap((order) => order.activities);
  const ran = new Set(ledger.map(({ key }) => key));
  const wrong = activities.filter(({ key, results }) => results.length !== 1 || !ran.has(key));
  return list(
    wrong,
    `Each of the ${activities.length} activities has exactly one recorded result.`,
    (names) => {
      return `Without exactly one recorded result: ${names}.`;
    },
  );
}

/** A result that was recorded is never worked for again: not by the second worker, and not at any later time. */
function nothingRanAgain({ ledger, atKill, atEnd, secondPid }: Evidence): Check {
  const recordedAtKill = new Set(recorded(atKill).map(({ key }) => key));
  const recordedAtMs = new Map(
    recorded(atEnd).map(({ key, results: [first] }) => [key, Number(first?.timestamp_ms)]),
  );
  const again = ledger
    .filter(({ what }) => what === "begin")
    .filter(
      ({ key, pid, atMs }) =>
        (pid === secondPid && recordedAtKill.has(key)) || atMs > (recordedAtMs.get(key) ?? atMs),
    );
  return list(again, "No activity began again once its result was recorded.", (names) => {
    return `Began again although their result was recorded: ${names}.`;
  });
}

/** Begun and not ended: what a process was doing when it died. */
export function interrupted(ledger: readonly LedgerLine[]): readonly LedgerLine[] {
  const ended = new Set(ledger.filter(({ what }) => what !== "begin").map(({ key }) => key));
  return ledger.filter(({ what, key }) => what === "begin" && !ended.has(key));
}

/** The keys of the activities that began more than once. */
export interface Repetitions {
  /** The kill ended them. */
  readonly interrupted: readonly string[];
  /** They had ended, but the process died before their result was stored. */
  readonly unrecorded: readonly string[];
}

/** Activities run at least once: one without a recorded result begins again. */
export function repetitions({ ledger, secondPid }: Pick<Evidence, "ledger" | "secondPid">): Repetitions {
  const begun = ledger.filter(({ what }) => what === "begin").map(({ key }) => key);
  const again = [...new Set(begun.filter((key, index) => begun.indexOf(key) !== index))];
  const killed = new Set(interrupted(ledger.filter(({ pid }) => pid !== secondPid)).map(({ key }) => key));
  return {
    interrupted: again.filter((key) => killed.has(key)),
    unrecorded: again.filter((key) => !killed.has(key)),
  };
}

function list(
  wrong: readonly { readonly key: string; readonly name: string }[],
  good: string,
  bad: (names: string) => string,
): Check {
  const names = wrong.map(({ key, name }) => `${name} (${key})`).join(", ");
  return { ok: wrong.length === 0, text: wrong.length === 0 ? good : bad(names) };
}
