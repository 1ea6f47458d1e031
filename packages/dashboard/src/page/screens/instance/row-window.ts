/** Chooses the rows of a long list that are drawn. */
import { useEffect, useState } from "preact/hooks";

/** Rows beyond those that can be seen. */
const SPARE_ROWS = 20;
/** Up to here all rows are drawn. */
const FEW_ROWS = 150;

/** The rows that are near the part of the page that can be seen. */
export function useRowWindow(
  ref: { readonly current: HTMLDivElement | null },
  count: number,
  rowPx: number,
): { readonly from: number; readonly to: number } {
  const [range, setRange] = useState({ from: 0, to: Math.min(count, FEW_ROWS) });
  useEffect(() => {
    if (count <= FEW_ROWS) {
      setRange({ from: 0, to: count });
      return undefined;
    }
    const look = (): void => {
      const top = ref.current?.getBoundingClientRect().top ?? 0;
      const first = Math.floor(-top / rowPx) - SPARE_ROWS;
      const from = Math.max(0, Math.min(count - 1, first));
      const to = Math.min(count, from + Math.ceil(window.innerHeight / rowPx) + 2 * SPARE_ROWS);
      setRange((before) => (before.from === from && before.to === to ? before : { from, to }));
    };
    look();
    window.addEventListener("scroll", look, { passive: true });
    window.addEventListener("resize", look);
    return () => {
      window.removeEventListener("scroll", look);
      window.removeEventListener("resize", look);
    };
  }, [count, rowPx]);
  return range;
}
