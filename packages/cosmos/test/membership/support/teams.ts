/** Teams as each of their processes sees them. */
import { type Team, toMate } from "../../../src/fetching/membership/team.ts";

export function namesOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => `process-${n}`);
}

/** Returns the team as a process sees it that knows of these. */
export function teamOf(self: string, names: readonly string[]): Team {
  return { self: toMate(self), mates: names.map(toMate) };
}

export function teamsOf(names: readonly string[]): readonly Team[] {
  return names.map((name) => teamOf(name, names));
}
