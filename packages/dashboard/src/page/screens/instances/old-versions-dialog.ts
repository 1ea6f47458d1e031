/** Lists of instances that run on a version beside which some process has a newer one. */
import type { VNode } from "preact";
import { visible } from "../../browser/format.ts";
import { href } from "../../browser/place.ts";
import { useResource } from "../../browser/resource.ts";
import { h } from "../../element.ts";
import { Dialog } from "../../parts/dialog.ts";
import { Link, Loading, Trouble } from "../../parts/parts.ts";
import { OPEN_STATES, stateWords } from "../../shapes/states.ts";
import type { OldVersions, WorkersView } from "../../shapes/work.ts";

export function OldVersionsDialog({ onClose }: { readonly onClose: () => void }): VNode {
  const { data, error, readAtMs } = useResource<WorkersView>("workers");
  return h(
    Dialog,
    { title: "Old versions", onClose },
    h(
      "p",
      {},
      "Instances that have not ended, on a version beside which a process has a newer one. Versions that no process has any more are ",
      h(Link, { to: href("instances", { state: "blocked" }) }, "blocked"),
      ".",
    ),
    data === undefined
      ? error === undefined
        ? h(Loading, { what: "the versions" })
        : h(Trouble, { error, readAtMs })
      : h(List, { versions: data.oldVersions, onClose }),
  );
}

function List(props: { readonly versions: readonly OldVersions[]; readonly onClose: () => void }): VNode {
  const { versions, onClose } = props;
  if (versions.length === 0) {
    return h("p", { class: "quiet" }, "No process has two versions of an orchestration.");
  }
  return h(
    "ul",
    { class: "refused", "aria-label": "Old versions" },
    ...versions.flatMap(({ name, newest, older }) =>
      older.map((version) =>
        h(
          "li",
          { key: `${name} ${version}` },
          `${visible(name)} ${version} `,
          ...OPEN_STATES.flatMap((state) => [
            h(
              "span",
              { key: state, onClick: onClose },
              h(
                Link,
                {
                  to: href("instances", { state, name, version }),
                  label: `${visible(name)} ${version} ${stateWords(state)}`,
                },
                stateWords(state),
              ),
            ),
            " ",
          ]),
          h("span", { class: "quiet" }, `newest ${newest}`),
        ),
      ),
    ),
  );
}
