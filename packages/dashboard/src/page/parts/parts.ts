/** Small parts that every screen uses. */
import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import type { ApiError } from "../browser/api.ts";
import { copyText } from "../browser/clipboard.ts";
import { after, serverNow } from "../browser/clock.ts";
import { clockTime, distance, fullTime, shortTime, visible } from "../browser/format.ts";
import { go } from "../browser/place.ts";
import { h } from "../element.ts";
import { type State, stateWords } from "../shapes/states.ts";
import { type IconName, icon, stateIcon } from "./icons.ts";

/** A link within the page; the browser's own ways to open it in another tab stay. */
export function Link(props: {
  readonly to: string;
  readonly class?: string;
  readonly label?: string;
  readonly current?: boolean;
  readonly children?: ComponentChildren;
}): VNode {
  return h(
    "a",
    {
      href: props.to,
      class: props.class,
      "aria-label": props.label,
      "aria-current": props.current === true ? "page" : undefined,
      onClick: (event: MouseEvent) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        go(props.to);
        window.scrollTo(0, 0);
      },
    },
    props.children,
  );
}

export function Badge({ state, word }: { readonly state: State; readonly word?: string }): VNode {
  return h(
    "span",
    { class: `badge is-${state}` },
    stateIcon(state, 14),
    h("span", {}, word ?? stateWords(state)),
  );
}

/** The custom status; `isLast` for that of an instance that has ended. */
export function CustomStatus(props: { readonly text: string; readonly isLast?: boolean }): VNode {
  const { text, isLast = false } = props;
  return h(
    "span",
    { class: "custom-status", title: "Custom status" },
    isLast ? h("span", { class: "quiet" }, "last status: ") : null,
    h("bdi", {}, visible(text)),
  );
}

export function Button(props: {
  readonly onClick: () => void;
  readonly children?: ComponentChildren;
  readonly icon?: IconName;
  readonly kind?: "main" | "danger" | "quiet";
  readonly label?: string;
  readonly disabled?: boolean;
  readonly pressed?: boolean;
}): VNode {
  return h(
    "button",
    {
      type: "button",
      class: `button ${props.kind ?? ""} ${props.children === undefined ? "square" : ""}`,
      disabled: props.disabled,
      "aria-label": props.label,
      "aria-pressed": props.pressed === undefined ? undefined : props.pressed,
      title: props.children === undefined ? props.label : undefined,
      onClick: () => props.onClick(),
    },
    props.icon === undefined ? null : icon(props.icon),
    props.children,
  );
}

/** A moment: short, with the whole of it as a tooltip. */
export function Time({ ms, ago = false }: { readonly ms: number; readonly ago?: boolean }): VNode {
  const nowMs = serverNow();
  const text = ago ? distance(ms, nowMs) : shortTime(ms, nowMs);
  return h("time", { dateTime: new Date(ms).toISOString(), title: fullTime(ms) }, text);
}

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }): VNode {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => {
    copyText(text).then(
      () => {
        setCopied(true);
        after(1_500, () => setCopied(false));
      },
      () => {},
    );
  };
  const name = isCopied ? "Copied" : label;
  return h(
    "button",
    { type: "button", class: "button quiet square", "aria-label": name, title: name, onClick: copy },
    isCopied ? stateIcon("completed") : icon("copy"),
  );
}

/** Why what is shown is not of now; nothing if it is. */
export function Trouble(props: {
  readonly error: ApiError | undefined;
  readonly readAtMs: number;
}): VNode | null {
  const { error, readAtMs } = props;
  if (error === undefined) return null;
  const shown = readAtMs === 0 ? "" : ` Shown is what it answered at ${clockTime(readAtMs)}.`;
  return h(
    "div",
    { class: "notice is-failed", role: "status" },
    stateIcon("failed"),
    h(
      "div",
      {},
      h("strong", {}, headline(error)),
      h("p", {}, `${error.message}.${shown}`.replace("..", ".")),
    ),
  );
}

function headline({ status, code }: ApiError): string {
  if (status === 0) return "No connection";
  if (status === 401) return "Signed out";
  if (code === "instance-not-found") return "Not found";
  return status === 503 ? "The store does not answer" : "This cannot be shown";
}

export function Loading({ what }: { readonly what: string }): VNode {
  return h(
    "div",
    { class: "loading", role: "status" },
    h("span", { class: "unseen" }, `Loading ${what}`),
    ...[0, 1, 2, 3, 4].map((n) => h("div", { class: "bone", key: n, "aria-hidden": "true" })),
  );
}

/** Nothing to show, and what would change that. */
export function Empty(props: {
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly command?: string;
}): VNode {
  return h(
    "div",
    { class: "empty" },
    h("h2", {}, props.title),
    props.children === undefined ? null : h("p", {}, props.children),
    props.command === undefined
      ? null
      : h(
          "div",
          { class: "command" },
          h("code", {}, props.command),
          h(CopyButton, { text: props.command, label: "Copy" }),
        ),
  );
}

export function Notice(props: {
  readonly state: State;
  readonly title: string;
  readonly children?: ComponentChildren;
}): VNode {
  return h(
    "div",
    { class: `notice is-${props.state}` },
    stateIcon(props.state),
    h("div", {}, h("strong", {}, props.title), props.children),
  );
}
