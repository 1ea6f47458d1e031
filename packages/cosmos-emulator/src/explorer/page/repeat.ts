/** Something that happens again and again while the page is visible, never twice at a time. */
import { browser, page } from "./dom.ts";

/** Starts at once; the result ends it. */
export function repeat(everyMs: number, run: () => Promise<void>): () => void {
  let isOver = false;
  const next = async (): Promise<void> => {
    if (page.visibilityState === "visible") await run();
    if (!isOver) timer = browser.setTimeout(next, everyMs);
  };
  let timer = browser.setTimeout(next, 0);
  return () => {
    isOver = true;
    browser.clearTimeout(timer);
  };
}
