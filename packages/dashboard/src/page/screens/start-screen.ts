/** Starts an instance. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { postTyped } from "../browser/api.ts";
import { go, instanceHref } from "../browser/place.ts";
import { useResource } from "../browser/resource.ts";
import { h } from "../element.ts";
import { Field } from "../parts/dialog.ts";
import { jsonFault } from "../parts/json-field.ts";
import { Empty } from "../parts/parts.ts";
import { Outcome, useAction } from "../parts/reason.ts";
import { useSession } from "../parts/session-context.ts";
import type { InputsView, KnownInput } from "../shapes/inputs.ts";
import type { WorkersView } from "../shapes/work.ts";
import { InputFields } from "./input-fields.ts";
import type { ScreenProps } from "./screen.ts";

export function StartScreen({ query }: ScreenProps): VNode {
  const session = useSession();
  const inputs = useResource<InputsView>("inputs").data?.rows ?? [];
  const workers = useResource<WorkersView>("workers").data?.rows ?? [];
  const known = [...workers.flatMap(({ orchestrations }) => orchestrations), ...inputs];
  const [name, setName] = useState(query.get("name") ?? "");
  const [version, setVersion] = useState("");
  const [id, setId] = useState("");
  const [after, setAfter] = useState("");
  const [input, setInput] = useState("");
  const { run, fault, isRunning } = useAction(
    () => postTyped<{ readonly id: string }>("start", { name, version, id, after }, "input", input),
    (started) => go(instanceHref(started.id)),
  );
  if (session.verbs.length === 0)
    return h(Empty, { title: "You may not start instances" }, "Ask an operator.");
  const text = (label: string, value: string, set: (value: string) => void, more: Fields): VNode =>
    h(Field, {
      label,
      ...(more.hint !== undefined && { hint: more.hint }),
      children: h("input", {
        type: "text",
        value,
        list: more.list,
        onInput: (event: InputEvent & { readonly currentTarget: HTMLInputElement }) =>
          set(event.currentTarget.value),
      }),
    });
  const versions = unique(known.filter((one) => one.name === name).map((one) => one.version));
  const fields = fieldsOf(inputs, name, version);
  return h(
    "div",
    { class: "screen start" },
    h("div", { class: "heading" }, h("h1", {}, "Start an instance")),
    h(
      "form",
      {
        onSubmit: (event: SubmitEvent) => {
          event.preventDefault();
          run();
        },
      },
      text("Orchestration", name, setName, {
        list: "known-names",
        hint: "Those of workers that have reported themselves are offered.",
      }),
      h(
        "datalist",
        { id: "known-names" },
        ...unique(known.map((one) => one.name)).map((one) => h("option", { key: one, value: one })),
      ),
      text("Version", version, setVersion, { list: "known-versions", hint: "Empty: as the workers decide." }),
      h(
        "datalist",
        { id: "known-versions" },
        ...versions.map((one) => h("option", { key: one, value: one })),
      ),
      text("Id", id, setId, { hint: "Empty: a random one." }),
      text("Begins", after, setAfter, {
        hint: "Empty: at once. Else an instant, such as 2026-05-01T10:00Z.",
      }),
      h(InputFields, { key: `${name} ${version}`, fields, value: input, onChange: setInput }),
      h(Outcome, { fault }),
      h(
        "button",
        {
          type: "submit",
          class: "button main",
          disabled: isRunning || name === "" || jsonFault(input) !== undefined,
        },
        "Start",
      ),
    ),
  );
}

/** Returns the fields of the code that the server would choose for the start. */
function fieldsOf(inputs: readonly KnownInput[], name: string, version: string): KnownInput["fields"] {
  const named = inputs.filter((one) => one.name === name);
  if (version === "") return named.length === 1 ? named[0]?.fields : undefined;
  return named.find((one) => one.version === version)?.fields;
}

interface Fields {
  readonly hint?: string;
  readonly list?: string;
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
