/** One document as text: read, changed, saved, deleted. */
import { type ContainerInfo, documentHeaders, partitionKeyOf } from "./container.ts";
import { button, type Dialog, element, type Field, labelled, type PageElement } from "./dom.ts";
import { call, link } from "./endpoint.ts";
import { isObject, type JsonObject, parseExact, pretty, textOf } from "./exact-json.ts";
import { News, units } from "./view.ts";

export class DocumentEditor {
  readonly root: PageElement;
  readonly #container: ContainerInfo;
  readonly #onChange: () => void;
  readonly #news = new News();
  readonly #title: PageElement = element("h2", {});
  readonly #text: Field = element("textarea", { rows: "24", spellcheck: "false", class: "code" });
  readonly #save: Field;
  readonly #delete: Field;
  readonly #confirm: Dialog;
  /** The document as it was read; undefined while a new one is written. */
  #stored: JsonObject | undefined;

  /** Takes a container. `onChange` is called when the container has other documents than before. */
  constructor(container: ContainerInfo, onChange: () => void) {
    this.#container = container;
    this.#onChange = onChange;
    this.#save = button("Save", () => this.#news.during(() => this.#write()), { class: "main" });
    this.#delete = button("Delete…", () => this.#confirm.showModal());
    this.#confirm = this.#confirmation();
    this.root = element(
      "section",
      { class: "editor", "aria-label": "Document" },
      this.#title,
      labelled("JSON", this.#text),
      element("div", { class: "actions" }, this.#save, this.#delete),
      this.#news.root,
      this.#confirm,
    );
    this.root.hidden = true;
  }

  /** Reads the document again, so that the page shows what is stored. */
  open(listed: JsonObject): Promise<void> {
    return this.#news.during(async () => {
      const { body, charge } = await call(this.#pathOf(listed), {
        headers: documentHeaders(this.#container, listed),
      });
      this.#show(body);
      this.#news.tell(`Read for ${units(charge)}.`);
    });
  }

  /** Begins a new document with the properties that it must have. */
  create(): void {
    const template: Record<string, string> = { id: "" };
    for (const path of this.#container.partitionKeyPaths) {
      if (!path.slice(1).includes("/")) template[path.slice(1)] = "";
    }
    this.#show(undefined);
    this.#text.value = pretty(template);
    this.#news.tell("");
    this.#text.focus();
  }

  #show(document: JsonObject | undefined): void {
    this.root.hidden = false;
    this.#stored = document;
    this.#title.textContent = document === undefined ? "New document" : textOf(document["id"]);
    this.#save.textContent = document === undefined ? "Create" : "Save";
    this.#delete.hidden = document === undefined;
    this.#text.value = document === undefined ? "" : pretty(document);
  }

  async #write(): Promise<void> {
    const document = this.#typed();
    const { body, charge } = await (this.#stored === undefined
      ? this.#insert(document)
      : this.#replace(document, this.#stored));
    this.#show(body);
    this.#news.tell(`Saved for ${units(charge)}.`);
    this.#onChange();
  }

  #insert(document: JsonObject): ReturnType<typeof call> {
    const headers = documentHeaders(this.#container, document);
    return call(`${this.#container.path}/docs`, { method: "POST", headers, body: this.#text.value });
  }

  #replace(document: JsonObject, stored: JsonObject): ReturnType<typeof call> {
    if (!this.#isSamePartition(document, stored)) {
      throw new Error("The partition key cannot change. Create a new document, then delete this one.");
    }
    const headers = this.#headersFor(stored);
    return call(this.#pathOf(stored), { method: "PUT", headers, body: this.#text.value });
  }

  #isSamePartition(left: JsonObject, right: JsonObject): boolean {
    const keyOf = (document: JsonObject): string =>
      JSON.stringify(partitionKeyOf(this.#container.partitionKeyPaths, document));
    return keyOf(left) === keyOf(right);
  }

  /** Makes the headers of a change of the document as it was read, because another program may have changed it. */
  #headersFor(stored: JsonObject): Record<string, string> {
    return { ...documentHeaders(this.#container, stored), "if-match": String(stored["_etag"]) };
  }

  async #remove(): Promise<void> {
    const stored = this.#stored;
    if (stored === undefined) return;
    await call(this.#pathOf(stored), { method: "DELETE", headers: this.#headersFor(stored) });
    this.root.hidden = true;
    this.#onChange();
  }

  #typed(): JsonObject {
    const document = parseExact(this.#text.value);
    if (isObject(document)) return document;
    throw new Error("A document is a JSON object: { … }.");
  }

  #pathOf(document: JsonObject): string {
    return `${this.#container.path}/${link("docs", String(document["id"]))}`;
  }

  #confirmation(): Dialog {
    const keep = button("Keep it", () => dialog.close());
    const remove = button(
      "Delete",
      () => {
        dialog.close();
        return this.#news.during(() => this.#remove());
      },
      { class: "danger" },
    );
    const question = element("p", {}, "Delete this document? There is no way back.");
    const dialog = element("dialog", { "aria-label": "Delete the document" }, question, keep, remove);
    return dialog;
  }
}
