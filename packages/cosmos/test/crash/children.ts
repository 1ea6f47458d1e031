/** Processes that are started to be killed. One is always starting while another one works. */
import path from "node:path";
import { ProgramProcess } from "../../../../test/support/program-process.ts";
import type { Place } from "../support/stage.ts";
import type { Snare } from "../support/trap.ts";
import type { Operation } from "./operation.ts";
import type { Performed } from "./perform.ts";

/** What a child is told. */
export interface Assignment {
  readonly place: Place;
  /** Of the operation. */
  readonly name: string;
  readonly snare: Snare;
}

const PROGRAM = path.join(import.meta.dirname, "child.ts");

export class Children implements Disposable {
  #spare: ProgramProcess | undefined;

  /** Resolves to what is wrong: nothing, where one was killed as the snare says. */
  async kill(place: Place, { name }: Operation, snare: Snare): Promise<readonly string[]> {
    const child = this.#spare ?? new ProgramProcess(PROGRAM);
    this.#spare = new ProgramProcess(PROGRAM);
    return perform(child, { place, name, snare });
  }

  /** Ends the one that waits for nothing any more. */
  [Symbol.dispose](): void {
    this.#spare?.kill();
  }
}

async function perform(child: ProgramProcess, assignment: Assignment): Promise<readonly string[]> {
  let performed: Performed | undefined;
  child.process.once("message", (message) => {
    performed = message as Performed;
  });
  // Where it broke down already, its end says so.
  if (child.process.connected) child.process.send(assignment, () => {});
  await child.ended;
  if (child.wasKilled) return [];
  if (performed === undefined) return [`the process broke down, ${child.lastWords}`];
  return [`it lived on, after ${performed.requests.length} requests`];
}
