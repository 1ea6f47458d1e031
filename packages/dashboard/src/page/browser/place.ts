/** The place of the page: the address is the state of the view. */
import { useEffect, useState } from "preact/hooks";

const { dataset } = document.documentElement;

/** The path in front of all others, without a slash at its end. */
export const BASE: string = dataset["base"] ?? "";
export const TITLE: string = dataset["title"] ?? "duroxide";
/** Whether the dashboard itself has signed the user in. */
export const SIGNS_OUT: boolean = dataset["signsOut"] !== undefined;

export interface Place {
  /** Path below the base, without slashes at the ends, such as "instances". */
  readonly path: string;
  readonly query: URLSearchParams;
}

const listeners = new Set<() => void>();
window.addEventListener("popstate", () => changed());

export function currentPlace(): Place {
  const { pathname, search } = window.location;
  const path = pathname.slice(BASE.length).replaceAll(/^\/+|\/+$/g, "");
  const query = new URLSearchParams(search);
  const id = idIn(path);
  if (id === undefined) return { path, query };
  query.set("id", id);
  return { path: "instance", query };
}

/** The id in an address for people, `instances/order-1`. An id that no path keeps, such as "..", has that of `instanceHref`. */
function idIn(path: string): string | undefined {
  const [, id] = /^instances\/(.+)$/.exec(path) ?? [];
  try {
    return id === undefined ? undefined : decodeURIComponent(id);
  } catch {
    return id;
  }
}

export function href(
  path: string,
  query: Readonly<Record<string, string | undefined>> | URLSearchParams = {},
): string {
  const parameters = query instanceof URLSearchParams ? query : new URLSearchParams();
  if (!(query instanceof URLSearchParams)) {
    for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, value);
  }
  return `${BASE}/${path}${parameters.size === 0 ? "" : `?${parameters}`}`;
}

export function instanceHref(id: string): string {
  return href("instance", { id });
}

/** `replace` for changes that are no place of their own, such as a selected bar. */
export function go(address: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (replace) window.history.replaceState(undefined, "", address);
  else window.history.pushState(undefined, "", address);
  changed();
}

/** The address with some parameters changed; `undefined` removes one. */
export function withQuery(changes: Readonly<Record<string, string | undefined>>): string {
  const { path, query } = currentPlace();
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  return href(path, query);
}

export function usePlace(): Place {
  const [place, setPlace] = useState(currentPlace);
  useEffect(() => {
    const listener = (): void => setPlace(currentPlace());
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
  return place;
}

function changed(): void {
  for (const listener of listeners) listener();
}
