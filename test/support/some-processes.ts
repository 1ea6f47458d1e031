/** Processes that a test lets begin and end. */
import type { Processes, ProcessIdentity } from "@duroxide-ts/core/stores";

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
