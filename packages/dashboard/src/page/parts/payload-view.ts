/** A payload as text, with its size, and the whole of it on request. */
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { get } from "../browser/api.ts";
import { bytes, visible } from "../browser/format.ts";
import { h } from "../element.ts";
import type { ShownFailure, ShownPayload } from "../shapes/payload.ts";
import { LongText } from "./long-text.ts";
import { Button, CopyButton } from "./parts.ts";

export function PayloadView(props: {
  readonly title: string;
  readonly payload: ShownPayload;
  /** Text in place of the size of the payload's text. */
  readonly note?: string;
}): VNode {
  const [whole, setWhole] = useState<ShownPayload | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const { load } = props.payload;
  useEffect(() => setWhole(undefined), [load, props.payload.text]);
  const payload = whole ?? props.payload;
  const loadWhole = (): void => {
    if (load === undefined) return;
    get<ShownPayload>(load).then(setWhole, (error: unknown) =>
      setFault(error instanceof Error ? error.message : ""),
    );
  };
  return h(
    "section",
    { class: "payload" },
    h(
      "header",
      {},
      h("h3", {}, props.title),
      h("span", { class: "quiet" }, props.note ?? bytes(payload.bytes)),
      payload.fault === undefined
        ? h(CopyButton, { text: payload.text, label: `Copy ${props.title.toLowerCase()}` })
        : null,
    ),
    payload.fault === undefined
      ? h(LongText, { text: payload.text, label: props.title })
      : h("p", { class: "fault" }, visible(payload.fault)),
    payload.isCut && load !== undefined
      ? h(
          "footer",
          {},
          h("span", { class: "quiet" }, `The first ${bytes(payload.text.length)} are shown.`),
          h(Button, { onClick: loadWhole }, `Load all ${bytes(payload.bytes)}`),
          fault === undefined ? null : h("span", { class: "fault" }, fault),
        )
      : null,
  );
}

/** An error: message first, then where it was thrown, then everything that is stored of it. */
export function FailureView(props: { readonly failure: ShownFailure; readonly title?: string }): VNode {
  const { failure, title = "Error" } = props;
  const name = failure.name === undefined ? failure.category : failure.name;
  return h(
    "section",
    { class: "payload failure" },
    h("header", {}, h("h3", {}, title), h("span", { class: "quiet" }, visible(name))),
    h("p", { class: "message" }, visible(failure.message)),
    failure.stack === undefined ? null : h(LongText, { text: failure.stack, label: "Stack", class: "stack" }),
    h(
      "details",
      {},
      h("summary", {}, "As stored"),
      h(LongText, { text: failure.details, label: "Failure as stored" }),
    ),
  );
}
