/** Work items that tests put into a store by hand. */
import type { ActivityExecute, WorkItemOf } from "../../src/wire/work-item.ts";

/** The activity "work" of instance "i", event 2 of its first execution. */
export function activityItem(input = "null"): ActivityExecute {
  return { kind: "ActivityExecute", instance: "i", execution_id: 1, id: 2, name: "work", input };
}

/** The start of a root. */
export function startItem(
  instance: string,
  orchestration: string,
  input = "null",
): WorkItemOf<"StartOrchestration"> {
  return {
    kind: "StartOrchestration",
    instance,
    orchestration,
    input,
    version: null,
    parent_instance: null,
    parent_id: null,
    execution_id: 1,
  };
}
