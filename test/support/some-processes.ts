/** Processes that a test lets begin and end. */
import type { Processes, ProcessIdentity } from "@duroxide-ts/core/stores";

const HERE = "boot pid:[1]";
/** A process that ends in the test. */
export const DEAD: ProcessIdentity = { space: HERE, pid: 1, began: "100" };
/** The next one on the same machine. */
export const NEXT: ProcessIdentity = { space: HERE, pid: 2, began: "200" };
/** One of another container, with the id of the first. */
export const ELSEWHERE: ProcessIdentity = { space: "boot pid:[2]", pid: 1, began: "100" };

export class SomeProcesses {
  readonly #ended = new Set<string>();

  /** The processes as one of them sees them. */
  seenBy(own: ProcessIdentity): Processes {
    return {
      own: () => own,
      hasEnded: (process) => process.space === own.space && this.#ended.has(JSON.stringify(nameOf(process))),
    };
  }

  end(process: ProcessIdentity): void {
    this.#ended.add(JSON.stringify(nameOf(process)));
  }
}

/** A store passes whatever it has read with it. */
function nameOf({ space, pid, began }: ProcessIdentity): readonly unknown[] {
  return [space, pid, began];
}
