/** Whether the page can be seen. A tab in the background shows nothing that is worth a request. */

export function isHidden(): boolean {
  return document.visibilityState === "hidden";
}

/** Calls once, when the page can be seen; the result cancels it. */
export function whenVisible(run: () => void): () => void {
  const stop = (): void => document.removeEventListener("visibilitychange", look);
  const look = (): void => {
    if (isHidden()) return;
    stop();
    run();
  };
  document.addEventListener("visibilitychange", look);
  return stop;
}
