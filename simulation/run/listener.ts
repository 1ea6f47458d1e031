/**
 * Reads the stream of a program while it runs, all attempts and only the last ones. What it has read outlives its
 * process, and the next one goes on at the offset after it.
 */
import { type InstanceHandle, StreamError, type StreamItem, sleep } from "@duroxide-ts/core";
import type { Program } from "../programs/step.ts";
import { type Heard, TALK, withoutVoid, wrongTalk } from "../programs/streams.ts";
import type { Machine } from "../world/machine.ts";
import { retryUntilDone } from "./retry-until-done.ts";

/** The stream is not there yet. */
const AGAIN_MS = 300;

/** A value that counts until a reset says otherwise. */
interface Live extends Heard {
  readonly offset: number;
}

export class Listener {
  readonly #program: Program;
  readonly #onViolation: (violation: string) => void;
  readonly #heard: Heard[] = [];
  #live: Live[] = [];
  /** Offset at which the reading of the last attempts goes on. */
  #next = 0;

  constructor(program: Program, onViolation: (violation: string) => void) {
    this.#program = program;
    this.#onViolation = onViolation;
  }

  /** Resolves when the stream has ended. */
  async hear(handle: InstanceHandle<unknown>, machine: Machine): Promise<void> {
    if (!this.#hasStream) return;
    await Promise.all([
      this.#read(machine, () => this.#hearAll(handle)),
      this.#read(machine, () => this.#hearLast(handle)),
    ]);
  }

  /** The program has completed, and everything was heard. */
  check(): void {
    if (!this.#hasStream) return;
    for (const wrong of wrongTalk(this.#program.steps, this.#heard)) this.#violate(wrong);
    const live = this.#live.map(({ value }) => value);
    const expected = withoutVoid(this.#heard);
    if (JSON.stringify(live) !== JSON.stringify(expected))
      this.#violate(`a reader that follows resets has ${live.length} values, and ${expected.length} count`);
  }

  get #hasStream(): boolean {
    return this.#program.steps.some(({ do: kind }) => kind === "say");
  }

  async #read(machine: Machine, read: () => Promise<void>): Promise<void> {
    const patiently = async (): Promise<boolean> => {
      try {
        await read();
        return true;
      } catch (error) {
        if (error instanceof StreamError && error.code === "not-found") return false;
        throw error;
      }
    };
    while (!(await retryUntilDone(machine, patiently, (what) => this.#violate(what))))
      await sleep(machine, AGAIN_MS);
  }

  async #hearAll(handle: InstanceHandle<unknown>): Promise<void> {
    for await (const item of handle.stream<string>(TALK, { from: this.#heard.length, all: true })) {
      if (item.skipped !== undefined) this.#violate(`${item.skipped} values are gone`);
      if (item.offset === undefined) continue;
      if (item.offset !== this.#heard.length)
        this.#violate(`offset ${item.offset} came after ${this.#heard.length} values`);
      const { value, step, attempt } = item;
      this.#heard.push({ value, step, attempt });
    }
  }

  async #hearLast(handle: InstanceHandle<unknown>): Promise<void> {
    for await (const item of handle.stream<string>(TALK, { from: this.#next })) this.#note(item);
  }

  #note(item: StreamItem<string>): void {
    if (item.reset !== undefined) {
      const { step, fromOffset } = item.reset;
      this.#live = this.#live.filter((each) => each.step !== step || each.offset < fromOffset);
    }
    if (item.offset === undefined) return;
    if (item.offset < this.#next) this.#violate(`offset ${item.offset} came after ${this.#next}`);
    this.#next = item.offset + 1;
    const { offset, value, step, attempt } = item;
    this.#live.push({ offset, value, step, attempt });
  }

  #violate(what: string): void {
    this.#onViolation(`stream: ${what}`);
  }
}
