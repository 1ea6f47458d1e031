/** The programs of a seed. */
import type { Fate } from "../checks/history-watch.ts";
import { drawPrograms } from "../programs/draw.ts";
import { isOfSchedule } from "../programs/schedules.ts";
import { instancesOfSpecial, specialPrograms } from "../programs/special.ts";
import { isDeleted, type Program } from "../programs/step.ts";
import type { Settings } from "../settings.ts";
import { Chance } from "../world/chance.ts";

export function programsOf(settings: Settings): readonly Program[] {
  const { seed } = settings;
  const chance = (label: string): Chance => Chance.of(seed, label);
  const drawn = drawPrograms(chance("programs"), {
    leastInstances: settings.leastOrchestrations - instancesOfSpecial(settings),
    most: settings.programs,
    overMs: settings.badMs,
    longestTimerMs: 4_000,
    cancels: settings.cancels,
    large: settings.large,
    sessions: settings.sessions,
    tags: settings.tags,
    suspensions: settings.suspensions,
    // A client cannot tell which of its messages an older copy of the file has.
    messages: !settings.faults.has("file-replaced"),
    operations: settings.operators ? chance("operations") : undefined,
    starts: chance("starts"),
    inPlace: chance("in place"),
    sagas: chance("sagas"),
    asks: chance("asks"),
    holds: {
      chance: chance("holds"),
      delays: settings.delays,
      limits: settings.limits,
      debounces: settings.debounces,
    },
  });
  const special = specialPrograms(chance("wide"), settings, drawn.length);
  return [...drawn, ...special].slice(0, settings.programs);
}

/**
 * Returns the fate that operators may give the instance of a history (`i#1`) or a run (`i:1:2`):
 * checks/history-watch.ts.
 */
export function fatesOf(programs: readonly Program[]): (key: string) => Fate {
  const anew = new Set(programs.filter(isDeleted).map(({ instanceId }) => instanceId));
  const pruned = new Set(
    programs
      .filter(({ operations }) => operations.some(({ verb }) => verb === "prune"))
      .map(({ instanceId }) => instanceId),
  );
  return (key) => {
    if (isOfSchedule(key)) return "may go";
    const [root = ""] = key.split(/::|#|:\d/);
    if (anew.has(root)) return "may begin anew";
    return pruned.has(root) ? "may go" : "stays";
  };
}
