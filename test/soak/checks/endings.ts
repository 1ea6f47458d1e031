/** How the instances of a soak ended, and whether they were allowed to. */

import type { Instance } from "../load/instance.ts";
import type { Group } from "../programs/program.ts";

type Seen = Pick<Instance, "id" | "plan" | "end" | "standing">;

export function wrongEndings(instances: readonly Seen[], groups: readonly Group[]): readonly string[] {
  return instances
    .filter(({ plan }) => groups.includes(plan.group))
    .flatMap(({ id, plan, end, standing }) => {
      if (end === undefined) return plan.mayRun === true ? [] : [`${id} ${standing}`];
      const wrong = plan.wrongEnd(end);
      return wrong === undefined ? [] : [`${id} ${shortened(wrong)}`];
    });
}

/** Results of hostile instances can be long. */
function shortened(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)} …` : text;
}
