/** The list of databases and containers, and the addresses of the page: all of it can be bookmarked. */
import { button, element, type PageElement } from "./dom.ts";
import { call, link, listOf } from "./endpoint.ts";
import { News } from "./view.ts";

export const SECTIONS = ["documents", "query", "properties"] as const;
export type Section = (typeof SECTIONS)[number];

export type Place =
  | { readonly kind: "start" | "requests" }
  | {
      readonly kind: "container";
      readonly database: string;
      readonly container: string;
      readonly section: Section;
    };

/** Reads the place from the part of the address after `#`. */
export function placeIn(hash: string): Place {
  const [first, ...rest] = hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  if (first === "requests") return { kind: first };
  const [database, , container, word] = rest;
  if (first !== "dbs" || database === undefined || container === undefined) return { kind: "start" };
  const section = SECTIONS.find((name) => name === word) ?? "documents";
  return { kind: "container", database, container, section };
}

export function addressOf(database: string, container: string, section: Section): string {
  return `#/${link("dbs", database, "colls", container, section)}`;
}

/** Makes a link that is marked where it leads to what is shown. */
export function pageLink(label: string, address: string, isCurrent: boolean): PageElement {
  return element("a", { href: address, "aria-current": isCurrent ? "page" : undefined }, label);
}

export class Navigation {
  readonly root: PageElement;
  readonly #tree: PageElement = element("ul", { class: "tree" });
  readonly #news = new News();
  #databases: readonly { readonly id: string; readonly containers: readonly string[] }[] = [];
  #place: Place = { kind: "start" };

  constructor() {
    const refresh = button("Refresh", () => this.load(), { class: "quiet" });
    const head = element("div", { class: "heading" }, element("h2", {}, "Databases"), refresh);
    this.root = element(
      "nav",
      { class: "side", "aria-label": "Databases" },
      head,
      this.#news.root,
      this.#tree,
    );
  }

  load(): Promise<void> {
    return this.#news.during(async () => {
      const ids = listOf(await call("dbs"), "Databases").map(({ id }) => String(id));
      this.#databases = await Promise.all(
        ids.map(async (id) => ({ id, containers: await containersOf(id) })),
      );
      this.#news.tell(ids.length === 0 ? "There is none yet." : "");
      this.#show();
    });
  }

  mark(place: Place): void {
    this.#place = place;
    this.#show();
  }

  #show(): void {
    this.#tree.replaceChildren(
      ...this.#databases.map(({ id, containers }) => {
        const links = containers.map((container) => element("li", {}, this.#containerLink(id, container)));
        return element("li", {}, element("span", { class: "database" }, id), element("ul", {}, ...links));
      }),
    );
  }

  #containerLink(database: string, container: string): PageElement {
    const place = this.#place;
    const isHere = place.kind === "container" && place.database === database && place.container === container;
    const section = place.kind === "container" ? place.section : "documents";
    return pageLink(container, addressOf(database, container, section), isHere);
  }
}

async function containersOf(database: string): Promise<readonly string[]> {
  const reply = await call(link("dbs", database, "colls"));
  return listOf(reply, "DocumentCollections").map(({ id }) => String(id));
}
