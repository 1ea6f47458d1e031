/** Compares what is stored in the end with what should have happened. */
import { isDeepStrictEqual } from "node:util";
import { type Negotiation, pathTo } from "./negotiation.ts";

export interface Evidence {
  readonly atEnd: readonly Negotiation[];
  readonly killed: string;
  /** Negotiations that the killed process held when it was dead. */
  readonly orphans: readonly Negotiation[];
  /** Whether a write through the dead process's lease, made late, was refused. */
  readonly lateWriteRefused: boolean;
}

export interface Check {
  readonly ok: boolean;
  readonly text: string;
}

export function check({ atEnd, killed, orphans, lateWriteRefused }: Evidence): readonly Check[] {
  const ended = atEnd.filter(({ state }) => state === "finalized" || state === "declined");
  const once = atEnd.filter((each) => isDeepStrictEqual(statesLeft(each), pathTo(each.state)));
  const steps = atEnd.flatMap(({ log }) => log).length;
  const growing = atEnd.filter(({ log }) => isGrowing(log.map(({ token }) => token)));
  const takenOver = orphans.filter((orphan) => isDoneByAnother(orphan, atEnd, killed));
  return [
    {
      ok: ended.length === atEnd.length,
      text: `${ended.length} of ${atEnd.length} negotiations came to their end.`,
    },
    {
      ok: once.length === atEnd.length,
      text: `${once.length} of ${atEnd.length} were worked on once in each of their states (${steps} steps).`,
    },
    {
      ok: takenOver.length === orphans.length,
      text: `${takenOver.length} of ${orphans.length} that ${killed} held when it died were done by another process.`,
    },
    {
      ok: growing.length === atEnd.length,
      text: "Every lease of a negotiation had a larger token than the one before.",
    },
    { ok: lateWriteRefused, text: `A write through a lease that ${killed} had lost was refused.` },
  ];
}

function statesLeft({ log }: Negotiation): readonly string[] {
  return log.map(({ left }) => left);
}

function isGrowing(tokens: readonly number[]): boolean {
  return tokens.every((token, index) => index === 0 || token > (tokens[index - 1] ?? token));
}

/** The state in which it was left behind. */
function isDoneByAnother({ id, state }: Negotiation, atEnd: readonly Negotiation[], killed: string): boolean {
  const lines = atEnd.find((each) => each.id === id)?.log.filter(({ left }) => left === state) ?? [];
  return lines.length === 1 && lines[0]?.by !== killed;
}
