/** The verbs for the selected instances, or for all that match. */
import type { OperatorVerb } from "@duroxide-ts/core/operate";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { apiPath, get } from "../../browser/api.ts";
import { number } from "../../browser/format.ts";
import { h } from "../../element.ts";
import { Button } from "../../parts/parts.ts";
import { useSession, useWords } from "../../parts/session-context.ts";
import { BULK_VERBS } from "../../parts/verbs.ts";
import type { ListFilter } from "../../shapes/filter.ts";
import type { MatchCount } from "../../shapes/instances.ts";
import { BulkDialog } from "./bulk-dialog.ts";

export interface BulkBarProps {
  readonly selected: ReadonlySet<string>;
  readonly filter: ListFilter;
  readonly onClear: () => void;
  readonly onDone: () => void;
}

export function BulkBar({ selected, filter, onClear, onDone }: BulkBarProps): VNode | null {
  const session = useSession();
  const words = useWords();
  const [matching, setMatching] = useState<number | undefined>(undefined);
  const [verb, setVerb] = useState<OperatorVerb | undefined>(undefined);
  if (selected.size === 0) return null;
  const selectAll = (): void => {
    get<MatchCount>(apiPath("count", { ...filter })).then(
      ({ count }) => setMatching(count),
      () => {},
    );
  };
  const clear = (): void => {
    setMatching(undefined);
    onClear();
  };
  const count = matching ?? selected.size;
  return h(
    "div",
    { class: "selection", role: "region", "aria-label": "Selection" },
    h(
      "strong",
      { role: "status" },
      matching === undefined ? `${number(count)} selected` : `All ${number(count)} that match`,
    ),
    matching === undefined ? h(Button, { kind: "quiet", onClick: selectAll }, "Select all that match") : null,
    h(Button, { kind: "quiet", onClick: clear }, "Clear"),
    h("span", { class: "grow" }),
    ...BULK_VERBS.filter((one) => session.verbs.includes(one)).map((one) =>
      h(Button, { key: one, onClick: () => setVerb(one) }, words(one).label),
    ),
    verb === undefined
      ? null
      : h(BulkDialog, {
          verb,
          count,
          targets: matching === undefined ? { ids: [...selected] } : { filter },
          onClose: (isDone: boolean) => {
            setVerb(undefined);
            if (isDone) {
              clear();
              onDone();
            }
          },
        }),
  );
}
