/**
 * The parts of the browser that the page uses: declarations, because this program is compiled without the browser's
 * library, and one function to build elements. Text becomes text nodes only, so nothing that is shown can be markup.
 */
export interface PageEvent {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  preventDefault(): void;
}

export interface PageElement {
  textContent: string | null;
  hidden: boolean;
  className: string;
  append(...children: readonly Child[]): void;
  replaceChildren(...children: readonly Child[]): void;
  addEventListener(type: string, listener: (event: PageEvent) => void): void;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  focus(): void;
}

export interface Field extends PageElement {
  value: string;
  disabled: boolean;
  checked: boolean;
  setSelectionRange(start: number, end: number): void;
}

export type Child = PageElement | string;

interface ElementTypes {
  readonly input: Field;
  readonly textarea: Field;
  readonly button: Field;
}

type ElementOf<Tag extends string> = Tag extends keyof ElementTypes ? ElementTypes[Tag] : PageElement;

declare const document: {
  title: string;
  readonly body: PageElement;
  readonly visibilityState: string;
  createElement(tag: string): PageElement;
  getElementById(id: string): PageElement | null;
};

declare const window: {
  readonly location: { hash: string };
  addEventListener(type: string, listener: () => void): void;
  setTimeout(run: () => void, delayMs: number): number;
  clearTimeout(timer: number): void;
};

export const page: typeof document = document;
export const browser: typeof window = window;

/** Makes an element with attributes (`true` stands for an empty one, `undefined` for none) and children. */
export function element<Tag extends string>(
  tag: Tag,
  attributes: Readonly<Record<string, string | true | undefined>> = {},
  ...children: readonly Child[]
): ElementOf<Tag> {
  const made = page.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made as ElementOf<Tag>;
}

export function button(
  label: string,
  onPress: () => void,
  attributes: Readonly<Record<string, string>> = {},
): Field {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", onPress);
  return made;
}

/** Makes a field with its label before it. */
export function labelled(label: string, field: Field, hint?: string): PageElement {
  const words = element("span", { class: "label" }, label);
  const more = hint === undefined ? [] : [element("span", { class: "hint" }, hint)];
  return element("label", { class: "field" }, words, field, ...more);
}
