/** One document as text, as it is stored. */
import { type ContainerInfo, documentHeaders } from "./container.ts";
import { element, type PageElement } from "./dom.ts";
import { call, link } from "./endpoint.ts";
import { type JsonObject, pretty, textOf } from "./exact-json.ts";
import { News, units } from "./view.ts";

export class DocumentView {
  readonly root: PageElement;
  readonly #container: ContainerInfo;
  readonly #news = new News();
  readonly #title: PageElement = element("h2", {});
  readonly #text: PageElement = element("pre", { tabindex: "0" });

  constructor(container: ContainerInfo) {
    this.#container = container;
    const attributes = { class: "document", "aria-label": "Document" };
    this.root = element("section", attributes, this.#title, this.#text, this.#news.root);
    this.root.hidden = true;
  }

  /** Reads the document again, so that the page shows what is stored. */
  open(listed: JsonObject): Promise<void> {
    return this.#news.during(async () => {
      const { path } = this.#container;
      const headers = documentHeaders(this.#container, listed);
      const { body, charge } = await call(`${path}/${link("docs", String(listed["id"]))}`, { headers });
      this.root.hidden = false;
      this.#title.textContent = textOf(body["id"]);
      this.#text.textContent = pretty(body);
      this.#news.tell(`Read for ${units(charge)}.`);
    });
  }
}
