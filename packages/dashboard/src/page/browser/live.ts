/** Whether the page refreshes itself; one switch for all views. */
import { useEffect, useState } from "preact/hooks";

let isPaused = false;
const listeners = new Set<() => void>();

export function toggleLive(): void {
  isPaused = !isPaused;
  for (const listener of listeners) listener();
}

export function useLive(): boolean {
  const [isLive, setLive] = useState(!isPaused);
  useEffect(() => {
    const listener = (): void => setLive(!isPaused);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
  return isLive;
}
