/** Processes that are started to be killed. One is always starting while another one works. */
import path from "node:path";
import { ProgramProcess } from "../../../../test/support/program-process.ts";
import type { Place } from "../support/stage.ts";
import type { Snare } from "../support/trap.ts";
import type { Operation } from "./operation.ts";
import type { Performed } from "./perform.ts";

export interface Assignment {
  readonly place: Place;
  /** Name of the operation. */
  readonly name: string;
  readonly snare: Snare;
}

export interface Death {
  /** It was killed as the snare says. */
  readonly isMet: boolean;
  readonly problems: readonly string[];
}

const PROGRAM = path.join(import.meta.dirname, "child.ts");

export class Children implements Disposable {
  #spare: ProgramProcess | undefined;

  async kill(place: Place, { name }: Operation, snare: Snare): Promise<Death> {
    const child = this.#spare ?? new ProgramProcess(PROGRAM);
    this.#spare = new ProgramProcess(PROGRAM);
    return perform(child, { place, name, snare });
  }

  /** Ends the one that waits for nothing any more. */
  [Symbol.dispose](): void {
    this.#spare?.kill();
  }
}

async function perform(child: ProgramProcess, assignment: Assignment): Promise<Death> {
  let performed: Performed | undefined;
  child.process.once("message", (message) => {
    performed = message as Performed;
  });
  // Where it broke down already, its end says so.
  if (child.process.connected) child.process.send(assignment, () => {});
  await child.ended;
  if (child.wasKilled) return { isMet: true, problems: [] };
  if (performed === undefined) {
    return { isMet: false, problems: [`the process broke down, ${child.lastWords}`] };
  }
  const { failure } = performed;
  return { isMet: false, problems: failure === undefined ? [] : [`it failed: ${failure}`] };
}
