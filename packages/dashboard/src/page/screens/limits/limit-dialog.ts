/** Asks for the rule of a key and the reason of its change, and stores it; or deletes it. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { post } from "../../browser/api.ts";
import { h } from "../../element.ts";
import { ReasonDialog } from "../../parts/reason-dialog.ts";
import { TextField } from "../../parts/text-field.ts";
import type { LimitRow } from "../../shapes/limits.ts";

interface DialogProps {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function LimitDialog({ row, onClose, onDone }: DialogProps & { readonly row?: LimitRow }): VNode {
  const [key, setKey] = useState(row?.key ?? "");
  const [concurrency, setConcurrency] = useState(textOf(row?.concurrency));
  const [max, setMax] = useState(textOf(row?.rate?.max));
  const [seconds, setSeconds] = useState(textOf(row?.rate && row.rate.perMs / 1000) || "1");
  const [burst, setBurst] = useState(textOf(row?.rate?.burst));
  const rule = {
    ...numberOf("concurrency", concurrency),
    ...numberOf("max", max),
    ...(max.trim() !== "" && { perMs: Math.round(Number(seconds) * 1000), ...numberOf("burst", burst) }),
  };
  const fields = [
    row === undefined
      ? h(TextField, {
          label: "Key",
          hint: "Such as partner, or openai/* for each key under openai.",
          value: key,
          onChange: setKey,
          autofocus: true,
        })
      : null,
    h(TextField, {
      label: "At a time",
      hint: "The most that run at the same time. Empty: any number.",
      value: concurrency,
      onChange: setConcurrency,
      autofocus: true,
    }),
    h(TextField, {
      label: "Starts in each period",
      hint: "The most that begin in a period. Empty: any number.",
      value: max,
      onChange: setMax,
    }),
    max.trim() === ""
      ? null
      : h(TextField, { label: "Period in seconds", hint: "Such as 1", value: seconds, onChange: setSeconds }),
    max.trim() === ""
      ? null
      : h(TextField, {
          label: "At once after a pause",
          hint: "How many may begin together. Empty: one.",
          value: burst,
          onChange: setBurst,
        }),
  ];
  return h(ReasonDialog, {
    title: row === undefined ? "New limit" : `Change ${row.key}`,
    explains: "What waits obeys the rule at once, in every process. What runs goes on.",
    label: "Set",
    disabled: key.trim() === "" || Object.keys(rule).length === 0,
    fields,
    act: (reason) => post("set-limit", { key, reason, ...rule }),
    onClose,
    onDone,
  });
}

export function DeleteLimitDialog({ name, onClose, onDone }: DialogProps & { readonly name: string }): VNode {
  return h(ReasonDialog, {
    title: `Delete ${name}`,
    explains: "The key limits nothing any more: all that waits for it may begin.",
    label: "Delete",
    isDangerous: true,
    act: (reason) => post("delete-limit", { key: name, reason }),
    onClose,
    onDone,
  });
}

function textOf(value: number | undefined): string {
  return value === undefined ? "" : String(value);
}

/** A text that is no number goes as it is: the server says what is wrong with it. */
function numberOf(field: string, text: string): Readonly<Record<string, number | string>> {
  if (text.trim() === "") return {};
  const value = Number(text);
  return { [field]: Number.isFinite(value) ? value : text };
}
