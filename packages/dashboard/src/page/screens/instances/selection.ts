/** Rows that are selected, and the row that the keys have reached. */
import { useRef, useState } from "preact/hooks";
import { useKeys } from "../../browser/keys.ts";
import { go, instanceHref } from "../../browser/place.ts";

export interface Selection {
  readonly selected: ReadonlySet<string>;
  readonly cursor: number;
  readonly isExpanded: boolean;
  onSelect(id: string): void;
  onSelectAll(): void;
  clear(): void;
}

/** `maySelect`: the user may act on rows. */
export function useSelection(ids: readonly string[], maySelect: boolean): Selection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [cursor, setCursor] = useState(-1);
  // Keys may come faster than the page is drawn, and each must begin where the one before has ended.
  const reached = useRef(-1);
  const [isExpanded, setExpanded] = useState(false);
  const onSelect = (id: string): void => setSelected((before) => toggled(before, [id], !before.has(id)));
  const onSelectAll = (): void =>
    setSelected((before) => toggled(before, ids, !ids.every((id) => before.has(id))));
  const move = (to: number): void => {
    const next = Math.max(0, Math.min(ids.length - 1, to));
    reached.current = next;
    setCursor(next);
    document.querySelectorAll("tbody tr")[next]?.scrollIntoView({ block: "nearest" });
  };
  const current = (): string | undefined => ids[Math.min(reached.current, ids.length - 1)];
  useKeys({
    j: () => move(reached.current + 1),
    k: () => move(reached.current - 1),
    e: () => setExpanded((value) => !value),
    x: () => {
      const id = current();
      if (id !== undefined && maySelect) onSelect(id);
    },
    Enter: (event) => {
      const isElsewhere = event.target instanceof Element && event.target.closest("a, button") !== null;
      const id = current();
      if (id !== undefined && !isElsewhere) go(instanceHref(id));
    },
  });
  return { selected, cursor, isExpanded, onSelect, onSelectAll, clear: () => setSelected(new Set()) };
}

function toggled(before: ReadonlySet<string>, ids: readonly string[], isOn: boolean): ReadonlySet<string> {
  const next = new Set(before);
  for (const id of ids) {
    if (isOn) next.add(id);
    else next.delete(id);
  }
  return next;
}
