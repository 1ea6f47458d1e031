/**
 * Asks the instance of a program. Each question is asked twice at once under one id, and again after a death of the
 * client: whoever gets an answer gets the same one.
 */
import { DuroxideError, type InstanceHandle, sleep } from "@duroxide-ts/core";
import { COUNT, type Program } from "../programs/step.ts";
import type { Chance } from "../world/chance.ts";
import type { Machine } from "../world/machine.ts";
import { retryUntilDone } from "./retry-until-done.ts";

const GAPS_MS = [0, 100, 1_000, 3_000] as const;
const TIMEOUT_MS = 20_000;

export interface AskerParts {
  readonly chance: Chance;
  readonly isOver: () => boolean;
  readonly onViolation: (violation: string) => void;
}

export class Asker {
  readonly #program: Program;
  readonly #parts: AskerParts;
  readonly #answers = new Map<number, string>();
  #asked = 0;

  constructor(program: Program, parts: AskerParts) {
    this.#program = program;
    this.#parts = parts;
  }

  async run(handle: InstanceHandle<unknown>, machine: Machine): Promise<void> {
    const { asks = 0 } = this.#program;
    for (; this.#asked < asks && !this.#parts.isOver(); this.#asked++) {
      await sleep(machine, this.#parts.chance.pick(GAPS_MS));
      const number = this.#asked;
      const each = [0, this.#parts.chance.pick(GAPS_MS)].map(async (afterMs) => {
        await sleep(machine, afterMs);
        this.#note(number, await this.#ask(handle, machine, number));
      });
      await Promise.all(each);
    }
  }

  /** `undefined` without an answer: the instance cannot answer, or not in time. */
  #ask(handle: InstanceHandle<unknown>, machine: Machine, number: number): Promise<string | undefined> {
    const options = { messageId: `${handle.instanceId}-q${number}`, timeout: { ms: TIMEOUT_MS } };
    const ask = (): Promise<string | undefined> =>
      handle.ask(COUNT, number, options).catch((error: unknown) => {
        if (DuroxideError.is(error)) return undefined;
        throw error;
      });
    return retryUntilDone(machine, ask, this.#parts.onViolation);
  }

  /** An operator may have taken an answer back. */
  #note(number: number, answer: string | undefined): void {
    if (answer === undefined || this.#program.operations.length > 0) return;
    const known = this.#answers.get(number);
    if (known !== undefined && known !== answer)
      this.#parts.onViolation(`question ${number} was answered with ${known}, and with ${answer}`);
    this.#answers.set(number, answer);
  }
}
