/** The pieces that every part of the page is made of: a view, a line of news, and the telling of what went wrong. */
import { element, type PageElement } from "./dom.ts";
import { RequestError } from "./endpoint.ts";

/** The content of the main area until the address changes. */
export interface View {
  readonly title: string;
  readonly root: PageElement;
  /** Stops timers and other background work. */
  stop?(): void;
}

/** One line that says what happened last; read out by screen readers. */
export class News {
  readonly root: PageElement = element("p", { class: "news", role: "status" });

  tell(text: string): void {
    this.root.className = "news";
    this.root.textContent = text;
  }

  tellError(error: unknown): void {
    this.root.className = "news error";
    this.root.textContent = errorText(error);
  }

  /** Runs something that may fail, and shows the failure. Nothing else catches the errors of the page. */
  async during(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.tellError(error);
    }
  }
}

export function errorText(error: unknown): string {
  if (!(error instanceof RequestError)) return error instanceof Error ? error.message : String(error);
  const { status, substatus, message } = error;
  if (status === 0) return message;
  const code = substatus === undefined ? `${status}` : `${status}/${substatus}`;
  return `${code} ${plainMessage(message)}`;
}

/**
 * Removes the wrapping of the service: `Message: {"Errors":["…"]}` and the activity id, which the request log has.
 */
function plainMessage(message: string): string {
  const text = message.replace(/\r?\nActivityId: \S*$/, "");
  const wrapped = /^Message: \{"Errors":(\[.*\])\}$/s.exec(text)?.[1];
  if (wrapped === undefined) return text;
  try {
    return (JSON.parse(wrapped) as readonly unknown[]).map(String).join("\n");
  } catch {
    return text;
  }
}

export function units(charge: number): string {
  return `${charge.toFixed(2)} RU`;
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

export function heading(text: string, ...beside: readonly PageElement[]): PageElement {
  return element("header", { class: "heading" }, element("h1", {}, text), ...beside);
}

export interface Column {
  readonly name: string;
  /** Numbers stand below each other by their ends. */
  readonly isNumber?: true;
}

/** Makes a table. The caption is for screen readers. */
export function table(
  caption: string,
  columns: readonly Column[],
  rows: readonly PageElement[],
): PageElement {
  const heads = columns.map(({ name, isNumber }) =>
    element("th", { scope: "col", class: isNumber ? "number" : undefined }, name),
  );
  return element(
    "div",
    { class: "table" },
    element(
      "table",
      {},
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...heads)),
      element("tbody", {}, ...rows),
    ),
  );
}
