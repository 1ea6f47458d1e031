/** The documents of a container, page by page, beside the one that is open. */
import { type ContainerInfo, partitionHeaders, partitionKeyOf } from "./container.ts";
import { DocumentView } from "./document-view.ts";
import { button, element, type Field, labelled, type PageElement } from "./dom.ts";
import { call, listOf } from "./endpoint.ts";
import { type Json, type JsonObject, textOf } from "./exact-json.ts";
import { counted, News, table, units } from "./view.ts";

const PAGE_SIZE = 25;

export class DocumentsView {
  readonly root: PageElement;
  readonly #container: ContainerInfo;
  readonly #news = new News();
  readonly #list: PageElement = element("div", {});
  readonly #partitionKey: Field;
  readonly #previous: Field;
  readonly #next: Field;
  readonly #opened: DocumentView;
  /**
   * Places where the pages up to the one that is shown begin: the first at the beginning, the others at
   * continuations.
   */
  #starts: readonly (string | undefined)[] = [undefined];
  #continuation: string | undefined;
  /** The `_rid` of the document that is open. It survives the list, which is rendered again for each page. */
  #openRid: Json | undefined;
  #markedRow: PageElement | undefined;

  constructor(container: ContainerInfo) {
    this.#container = container;
    this.#partitionKey = element("input", { type: "text", placeholder: "all", spellcheck: "false" });
    this.#partitionKey.addEventListener("keydown", ({ key }) => (key === "Enter" ? this.load() : undefined));
    this.#previous = button("Previous", () => this.#turn(this.#starts.slice(0, -1)));
    this.#next = button("Next", () => this.#turn([...this.#starts, this.#continuation]));
    this.#opened = new DocumentView(container);
    const keyPaths = container.partitionKeyPaths.join(", ");
    const toolbar = element(
      "div",
      { class: "actions" },
      labelled(`Partition key ${keyPaths}`, this.#partitionKey),
      button("Show", () => this.load()),
      this.#previous,
      this.#next,
      this.#news.root,
    );
    const beside = element("div", { class: "documents" }, this.#list, this.#opened.root);
    this.root = element("div", {}, toolbar, beside);
  }

  /** Loads the first page. */
  load(): Promise<void> {
    return this.#turn([undefined]);
  }

  #turn(starts: readonly (string | undefined)[]): Promise<void> {
    return this.#news.during(async () => {
      const start = starts.at(-1);
      const reply = await call(`${this.#container.path}/docs`, {
        headers: {
          ...partitionHeaders(this.#container, this.#partitionKey.value),
          "x-ms-max-item-count": String(PAGE_SIZE),
          ...(start === undefined ? {} : { "x-ms-continuation": start }),
        },
      });
      this.#starts = starts;
      this.#continuation = reply.continuation;
      this.#previous.disabled = starts.length === 1;
      this.#next.disabled = reply.continuation === undefined;
      const documents = listOf(reply, "Documents");
      this.#list.replaceChildren(this.#table(documents));
      const found = counted(documents.length, "document");
      this.#news.tell(`Page ${starts.length}, ${found}, ${units(reply.charge)}.`);
    });
  }

  #open(document: JsonObject, row: PageElement): Promise<void> {
    this.#openRid = document["_rid"];
    this.#mark(row);
    return this.#opened.open(document);
  }

  #mark(row: PageElement): void {
    this.#markedRow?.removeAttribute("aria-current");
    row.setAttribute("aria-current", "true");
    this.#markedRow = row;
  }

  #table(documents: readonly JsonObject[]): PageElement {
    const rows = documents.map((document) => {
      const open = button(textOf(document["id"]), () => this.#open(document, row), { class: "link" });
      const key = partitionKeyOf(this.#container.partitionKeyPaths, document).map(textOf).join(", ");
      const row = element("tr", {}, element("td", {}, open), element("td", {}, key));
      if (document["_rid"] === this.#openRid) this.#mark(row);
      return row;
    });
    const columns = ["id", this.#container.partitionKeyPaths.join(", ")].map((name) => ({ name }));
    return table("Documents", columns, rows);
  }
}
