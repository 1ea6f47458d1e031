/** The conditions as chips, and a form to add one. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { go, href, withQuery } from "../../browser/place.ts";
import { h } from "../../element.ts";
import { Dialog, Field } from "../../parts/dialog.ts";
import { icon } from "../../parts/icons.ts";
import { Menu, type MenuItem } from "../../parts/menu.ts";
import { Button } from "../../parts/parts.ts";
import { useSession } from "../../parts/session-context.ts";
import { CATEGORIES, FILTER_KEYS, type ListFilter, ORDERS } from "../../shapes/filter.ts";
import { INSTANCE_STATES } from "../../shapes/states.ts";
import { chipText, FILTER_LABEL } from "./filter-text.ts";
import { OldVersionsDialog } from "./old-versions-dialog.ts";
import { DEFAULT_VIEWS, forgetView, keepView, keptViews } from "./saved-views.ts";

const FRESH = { continuation: undefined, page: undefined } as const;

export function FilterBar(props: { readonly filter: ListFilter; readonly order: string }): VNode {
  const [isAdding, setAdding] = useState(false);
  const chips = FILTER_KEYS.filter((key) => props.filter[key] !== undefined);
  return h(
    "div",
    { class: "filters" },
    h(
      "div",
      { class: "chips" },
      ...chips.map((key) => h(Chip, { key, name: key, value: props.filter[key] ?? "" })),
      h(Button, { icon: "plus", kind: "quiet", onClick: () => setAdding(true) }, "Filter"),
    ),
    h("div", { class: "filters-end" }, h(OrderField, { order: props.order }), h(ViewsMenu, {})),
    isAdding ? h(FilterDialog, { filter: props.filter, onClose: () => setAdding(false) }) : null,
  );
}

function Chip({ name, value }: { readonly name: keyof ListFilter; readonly value: string }): VNode {
  const text = chipText(name, value);
  return h(
    "button",
    {
      type: "button",
      class: "chip",
      "aria-label": `Remove the filter: ${text}`,
      onClick: () => go(withQuery({ ...FRESH, [name]: undefined })),
    },
    h("span", {}, text),
    icon("close", 12),
  );
}

const ORDER_LABEL = {
  "created-desc": "newest first",
  "created-asc": "oldest first",
  "updated-desc": "last changed first",
} as const;

function OrderField({ order }: { readonly order: string }): VNode {
  return h(
    "select",
    {
      "aria-label": "Order",
      value: order,
      onChange: (event: Event & { readonly currentTarget: HTMLSelectElement }) =>
        go(withQuery({ ...FRESH, order: event.currentTarget.value })),
    },
    ...ORDERS.map((one) => h("option", { key: one, value: one }, ORDER_LABEL[one])),
  );
}

function ViewsMenu(): VNode {
  const [isNaming, setNaming] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  const kept = keptViews();
  const open = (query: string): void => go(href("instances", new URLSearchParams(query)));
  const items: MenuItem[] = [
    { label: "All instances", onChoose: () => open("") },
    ...DEFAULT_VIEWS.map(({ name, query }) => ({ label: name, onChoose: () => open(query) })),
    { label: "Old versions …", onChoose: () => setChoosing(true) },
    ...kept.map(({ name, query }) => ({ label: name, onChoose: () => open(query) })),
    { label: "Save this view …", onChoose: () => setNaming(true) },
    ...kept.map(({ name }) => ({ label: `Forget "${name}"`, onChoose: () => forgetView(name) })),
  ];
  return h(
    "div",
    {},
    h(Menu, { label: "Views", items }, "Views"),
    isNaming ? h(NameDialog, { onClose: () => setNaming(false) }) : null,
    isChoosing ? h(OldVersionsDialog, { onClose: () => setChoosing(false) }) : null,
  );
}

function NameDialog({ onClose }: { readonly onClose: () => void }): VNode {
  const [name, setName] = useState("");
  const save = (event: SubmitEvent): void => {
    event.preventDefault();
    keepView({ name, query: window.location.search.slice(1) });
    onClose();
  };
  return h(
    Dialog,
    { title: "Save this view", onClose },
    h(
      "form",
      { onSubmit: save },
      h(Field, {
        label: "Name",
        hint: "Kept in this browser.",
        children: h("input", {
          type: "text",
          value: name,
          required: true,
          autofocus: true,
          onInput: (event: InputEvent & { readonly currentTarget: HTMLInputElement }) =>
            setName(event.currentTarget.value),
        }),
      }),
      h("footer", {}, h("button", { type: "submit", class: "button main" }, "Save")),
    ),
  );
}

const SPANS = ["", "15m", "1h", "6h", "24h", "7d", "30d"] as const;

/** Every condition at once; an empty field is no condition. */
function FilterDialog({
  filter,
  onClose,
}: {
  readonly filter: ListFilter;
  readonly onClose: () => void;
}): VNode {
  const { redacts } = useSession();
  const apply = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }): void => {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    const changes = FILTER_KEYS.map((key) => {
      const value = values.get(key);
      return [key, typeof value === "string" && value !== "" ? value : undefined];
    });
    go(withQuery({ ...FRESH, ...Object.fromEntries(changes) }));
    onClose();
  };
  const text = (key: keyof ListFilter, placeholder?: string): VNode =>
    h(Field, {
      label: FILTER_LABEL[key],
      children: h("input", { type: "text", name: key, value: filter[key] ?? "", placeholder }),
    });
  const choice = (key: keyof ListFilter, values: readonly string[]): VNode =>
    h(Field, {
      label: FILTER_LABEL[key],
      children: h(
        "select",
        { name: key, value: filter[key] ?? "" },
        ...[...new Set([...values, filter[key] ?? ""])].map((one) =>
          h(
            "option",
            { key: one, value: one, selected: one === (filter[key] ?? "") },
            one === "" ? "any" : one,
          ),
        ),
      ),
    });
  return h(
    Dialog,
    { title: "Filter", onClose, wide: true },
    h(
      "form",
      { class: "grid", onSubmit: apply },
      choice("state", ["", ...INSTANCE_STATES]),
      text("name"),
      text("version"),
      text("tags", "tenant=acme priority>=2"),
      text("schedule"),
      text("prefix"),
      choice("since", SPANS),
      choice("older", SPANS),
      choice("updated", SPANS),
      choice("idle", SPANS),
      text("parent"),
      choice("category", ["", ...CATEGORIES]),
      redacts ? null : text("error"),
      h(
        "label",
        { class: "check" },
        h("input", { type: "checkbox", name: "roots", value: "1", checked: filter.roots === "1" }),
        h("span", {}, "only instances without a parent"),
      ),
      h(
        "footer",
        {},
        h(Button, { onClick: onClose }, "Close"),
        h("button", { type: "submit", class: "button main" }, "Apply"),
      ),
    ),
  );
}
