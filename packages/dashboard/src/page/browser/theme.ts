/** Light, dark, or what the system has; kept in this browser. */
export type Theme = "light" | "dark";

const KEY = "duroxide-theme";

export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset["theme"];
  if (chosen === "light" || chosen === "dark") return chosen;
  return window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

export function applyTheme(): void {
  const kept = stored();
  if (kept !== undefined) document.documentElement.dataset["theme"] = kept;
}

export function toggleTheme(): Theme {
  const next: Theme = currentTheme() === "dark" ? "light" : "dark";
  document.documentElement.dataset["theme"] = next;
  try {
    window.localStorage.setItem(KEY, next);
  } catch {
    // The choice holds until the page is left.
  }
  return next;
}

function stored(): Theme | undefined {
  try {
    const kept = window.localStorage.getItem(KEY);
    return kept === "light" || kept === "dark" ? kept : undefined;
  } catch {
    return undefined;
  }
}
