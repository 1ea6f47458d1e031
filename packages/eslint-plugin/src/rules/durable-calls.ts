/** The calls of a context and a saga whose result is awaited. */
import type { ContextCall } from "../code/zone.ts";

const OF_CONTEXT: ReadonlySet<string> = new Set(
  [
    "scheduleActivity run scheduleTimer waitForEvent dequeue scheduleSubOrchestration",
    "all allSettled map race utcNow newGuid deterministic",
  ].flatMap((names) => names.split(" ")),
);
const OF_SAGA: ReadonlySet<string> = new Set(["run", "schedule", "compensate"]);

export function isDurable({ object, method }: ContextCall): boolean {
  return (object === "saga" ? OF_SAGA : OF_CONTEXT).has(method);
}
