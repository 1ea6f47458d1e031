/** Keys that work everywhere but in fields. */
import { useLayoutEffect } from "preact/hooks";

export type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** The keys act on what is on the page: an effect that waits for the next frame would leave them with the rows before. */
export function useKeys(keys: Keys): void {
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector("dialog[open]") !== null) return;
      keys[event.key]?.(event);
    };
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  });
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null
  );
}
