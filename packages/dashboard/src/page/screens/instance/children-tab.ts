/** The tree of instances that this one belongs to. */
import type { VNode } from "preact";
import { apiPath } from "../../browser/api.ts";
import { duration, visible } from "../../browser/format.ts";
import { instanceHref } from "../../browser/place.ts";
import { useResource } from "../../browser/resource.ts";
import { h } from "../../element.ts";
import { Badge, Empty, Link, Loading, Time, Trouble } from "../../parts/parts.ts";
import { tookMs } from "../../parts/took.ts";
import type { TreeView } from "../../shapes/instance.ts";
import type { InstanceRow } from "../../shapes/instances.ts";

export function ChildrenTab({
  instanceId,
  version,
}: {
  readonly instanceId: string;
  readonly version: number;
}): VNode {
  const path = apiPath("children", { id: instanceId, v: version });
  const { data, error, readAtMs } = useResource<TreeView>(path, { keep: true });
  if (data === undefined)
    return error === undefined ? h(Loading, { what: "the tree" }) : h(Trouble, { error, readAtMs });
  if (data.nodes.length <= 1)
    return h(Empty, { title: "No children" }, "The instance has neither a parent nor children.");
  const root = data.nodes.find(({ id }) => id === data.rootId);
  return h(
    "div",
    {},
    h(Trouble, { error, readAtMs }),
    h(
      "ul",
      { class: "tree" },
      root === undefined ? null : h(Node, { node: root, nodes: data.nodes, current: instanceId }),
    ),
    data.more > 0 ? h("p", { class: "quiet" }, `${data.more} more are not listed.`) : null,
  );
}

interface NodeProps {
  readonly node: InstanceRow;
  readonly nodes: readonly InstanceRow[];
  readonly current: string;
}

function Node({ node, nodes, current }: NodeProps): VNode {
  const children = nodes
    .filter(({ parentId }) => parentId === node.id)
    .sort((a, b) => a.createdAtMs - b.createdAtMs);
  return h(
    "li",
    {},
    h(
      "div",
      { class: `node ${node.id === current ? "current" : ""}` },
      h(Badge, { state: node.state }),
      h(Link, { to: instanceHref(node.id), current: node.id === current }, h("bdi", {}, visible(node.id))),
      h("span", { class: "quiet" }, `${visible(node.name)} ${node.version}`),
      h("span", { class: "quiet" }, h(Time, { ms: node.createdAtMs }), `, ${duration(tookMs(node))}`),
    ),
    children.length === 0
      ? null
      : h("ul", {}, ...children.map((child) => h(Node, { key: child.id, node: child, nodes, current }))),
  );
}
