/**
 * Checks of children against their parents: who deletes a parent deletes its children too, so an instance must not make
 * itself the child of one that did not start it. A parent that is not in the store is not asked.
 */
import type { Provider } from "@duroxide-ts/core";
import { timelineOf } from "@duroxide-ts/core/client";
import { findInstance } from "@duroxide-ts/core/operate";
import { CommandError, EXIT } from "../errors/exit-code.ts";
import type { InstanceRecord } from "./instance-record.ts";

export class Family {
  /** The parent that was read last: an export has the children of one parent behind each other. */
  #read: { readonly parent: string; readonly children: ReadonlySet<string> | undefined } | undefined;

  async check(provider: Provider, { instanceId }: InstanceRecord, parent: string): Promise<void> {
    if (this.#read?.parent !== parent) this.#read = { parent, children: await childrenOf(provider, parent) };
    const { children } = this.#read;
    if (children === undefined || children.has(instanceId)) return;
    const quoted = JSON.stringify(parent);
    throw new CommandError(
      EXIT.failed,
      `${instanceId} says that ${quoted} started it, and the history of ${quoted} does not; import it into another store`,
    );
  }
}

/** The ids of all children; `undefined` if the store lacks the parent, or its first executions, which were pruned. */
async function childrenOf(provider: Provider, parent: string): Promise<ReadonlySet<string> | undefined> {
  const info = await findInstance(provider.admin, parent);
  if (info === undefined) return undefined;
  const children = new Set<string>();
  for (let executionId = 1; executionId <= info.currentExecutionId; executionId++) {
    const timeline = timelineOf(await provider.readHistory(parent, executionId));
    if (executionId === 1 && timeline?.executionId !== 1) return undefined;
    for (const step of timeline?.steps ?? []) if (step.kind === "child") children.add(step.childInstanceId);
  }
  return children;
}
