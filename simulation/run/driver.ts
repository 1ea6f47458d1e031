/**
 * The client of one program: starts it, sends what it needs, cancels it perhaps, and looks how it goes. What it has done
 * outlives its process, so that the next process goes on there; what was under way then is done again.
 */
import {
  type Client,
  type InstanceHandle,
  type OrchestrationStatus,
  ProviderError,
  sleep,
} from "@duroxide-ts/core";
import type { ReadOrder } from "../checks/read-order.ts";
import { keptEvent, NAME } from "../programs/carry-out.ts";
import type { Program, Task } from "../programs/step.ts";
import type { Chance } from "../world/chance.ts";
import type { Machine } from "../world/machine.ts";
import type { World } from "../world/world.ts";

export type Ending =
  | { readonly status: "Completed"; readonly output: unknown }
  | { readonly status: "Failed"; readonly message: string };

export interface DriverParts {
  readonly world: World;
  readonly reads: ReadOrder;
  /** Instances of other clients, which it looks at now and then. */
  readonly others: readonly string[];
  readonly chance: Chance;
  readonly onViolation: (violation: string) => void;
}

/** Between two attempts of a call that failed, and between two looks. */
const AGAIN_MS = 200;
const LOOK_MS = [300, 1_000, 3_000] as const;

export class Driver {
  readonly program: Program;
  readonly #parts: DriverParts;
  #isStarted = false;
  #sent = 0;
  #cancelAsked = false;
  #isCancelled = false;
  #ending: Ending | undefined;

  constructor(program: Program, parts: DriverParts) {
    this.program = program;
    this.#parts = parts;
  }

  get ending(): Ending | undefined {
    return this.#ending;
  }

  /** Whether a cancellation was asked for, whatever came of it. */
  get mayBeCancelled(): boolean {
    return this.#cancelAsked;
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** Goes on where an earlier process stopped. Resolves when the program has ended. */
  async run(client: Client, machine: Machine): Promise<void> {
    const { instanceId, startsAtMs, steps, cancelAfterMs } = this.program;
    const { world } = this.#parts;
    await sleep(machine, startsAtMs - world.elapsedMs);
    if (!this.#isStarted) {
      const input: Task = { steps, results: [] };
      await this.#insist(machine, () => client.start(NAME, { instanceId, input }));
      this.#isStarted = true;
    }
    const handle = client.handle(NAME, instanceId);
    const isCancelled = cancelAfterMs !== undefined && !this.#isCancelled;
    await Promise.all([
      this.#send(handle, machine),
      isCancelled ? this.#cancel(handle, machine, cancelAfterMs) : undefined,
      this.#watch(client, handle, machine),
    ]);
  }

  async #send(handle: InstanceHandle<unknown>, machine: Machine): Promise<void> {
    const { messages, gapMs, instanceId } = this.program;
    for (const { to, name, value } of messages.slice(this.#sent)) {
      if (this.#ending !== undefined) return;
      await sleep(machine, gapMs);
      const options = { messageId: `${instanceId}-m${this.#sent}` };
      await this.#insist(machine, () =>
        to === "queue" ? handle.enqueue(name, value, options) : handle.raise(keptEvent(name), value, options),
      );
      this.#sent++;
    }
  }

  async #cancel(handle: InstanceHandle<unknown>, machine: Machine, afterMs: number): Promise<void> {
    await sleep(machine, afterMs);
    this.#cancelAsked = true;
    await this.#insist(machine, () => handle.cancel("the simulation cancels it"));
    this.#isCancelled = true;
  }

  async #watch(client: Client, handle: InstanceHandle<unknown>, machine: Machine): Promise<void> {
    const { chance, others } = this.#parts;
    while (this.#ending === undefined) {
      await sleep(machine, chance.pick(LOOK_MS));
      const status = await this.#look(handle, machine);
      if (status.status === "Completed") this.#ending = { status: "Completed", output: status.output };
      else if (status.status === "Failed") this.#ending = { status: "Failed", message: status.message };
      const other = others[chance.below(others.length)];
      if (other !== undefined && chance.happens(0.2)) await this.#look(client.handle(NAME, other), machine);
    }
  }

  #look(handle: InstanceHandle<unknown>, machine: Machine): Promise<OrchestrationStatus> {
    const { reads } = this.#parts;
    return this.#insist(machine, () => reads.observe(handle.instanceId, machine.name, () => handle.status()));
  }

  /** Repeats a call until it succeeds, as a careful client does. A refusal that repeating cannot mend is a violation. */
  async #insist<T>(machine: Machine, call: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await call();
      } catch (error) {
        if (!ProviderError.is(error) || !mayPass(error)) {
          this.#parts.onViolation(
            `${this.program.instanceId}: a call of the client failed: ${String(error)}`,
          );
        }
        await sleep(machine, AGAIN_MS);
      }
    }
  }
}

/** Whether the same call may succeed later: the disk may have room again, too. */
function mayPass({ retryable, code }: ProviderError): boolean {
  return retryable || code === "internal" || code === "store-full";
}
