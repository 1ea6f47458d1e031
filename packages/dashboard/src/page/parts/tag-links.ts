/** The tags of an instance, each as a link to the instances that have it. */
import type { VNode } from "preact";
import { visible } from "../browser/format.ts";
import { href } from "../browser/place.ts";
import { h } from "../element.ts";
import { Link } from "./parts.ts";

export function TagLinks({ tags }: { readonly tags: readonly string[] }): VNode {
  return h(
    "span",
    { class: "chips" },
    ...tags.map((tag) =>
      h(Link, { key: tag, to: href("instances", { tags: tag }), class: "tag" }, h("bdi", {}, visible(tag))),
    ),
  );
}
