/** Keys that work everywhere but in fields. */
import { useEffect } from "preact/hooks";

export type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

export function useKeys(keys: Keys): void {
  useEffect(() => {
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
