import type { OrchestratorItem } from "@duroxide-ts/core/stores";

/** The condition of a query for queue rows of one kind: the text of a work item begins with it (docs/reference/wire-format.md). */
export function hasKind(kind: OrchestratorItem["kind"]): string {
  return `STARTSWITH(c.workItem, '{"${kind}"')`;
}
