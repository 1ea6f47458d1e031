/**
 * The client of one program: starts it, sends what it needs, cancels it perhaps, and looks how it goes. What it has done
 * outlives its process, so that the next process goes on there; what was under way then is done again.
 */
import { type Client, type InstanceHandle, type OrchestrationStatus, sleep } from "@duroxide-ts/core";
import type { Beginning } from "../checks/by-hand.ts";
import type { DrivenProgram, Ending } from "../checks/end.ts";
import type { HeldCall } from "../checks/held-starts.ts";
import type { LinearReads } from "../checks/linear-reads.ts";
import { keptEvent } from "../programs/carry-out.ts";
import { detachedIn } from "../programs/drop.ts";
import type { Ledger } from "../programs/ledger.ts";
import { KEYS, NAME, NOISE, type Program } from "../programs/step.ts";
import type { Chance } from "../world/chance.ts";
import type { Machine } from "../world/machine.ts";
import { Asker } from "./asker.ts";
import { Listener } from "./listener.ts";
import { Operator } from "./operator.ts";
import { retryUntilDone, unlessRefused } from "./retry-until-done.ts";
import { type Clients, Starter, type StarterParts } from "./starter.ts";

export interface DriverParts extends StarterParts {
  readonly reads: LinearReads;
  readonly ledger: Ledger;
  /** Instances of other clients, which it looks at now and then. */
  readonly others: readonly string[];
  readonly chance: Chance;
  /** A message was accepted. */
  readonly accepted: (queue: string, value: string) => void;
}

/** At a suspended instance. */
const LOOKS = 4;
const AGAIN_MS = 200;
/** After a message was accepted, it is repeated. */
const LATER_MS = [0, 0, 1_000, 5_000] as const;
const LOOK_MS = [500, 2_000, 6_000] as const;

export class Driver implements DrivenProgram {
  readonly program: Program;
  readonly #parts: DriverParts;
  #isStarted = false;
  #sent = 0;
  /** The highest time of a clock with which it has sent, ms. */
  #sentAtMs = 0;
  #sendsInOrder = true;
  #cancelAsked = false;
  #isCancelled = false;
  #isResumed = false;
  #ending: Ending | undefined;
  readonly #starter: Starter;
  readonly #operator: Operator;
  readonly #asker: Asker;
  readonly #listener: Listener;

  constructor(program: Program, parts: DriverParts) {
    this.program = program;
    this.#parts = parts;
    this.#cancelAsked = parts.isContinued && program.cancelAfterMs !== undefined;
    this.#asker = new Asker(program, {
      chance: parts.chance,
      isOver: () => this.#ending !== undefined,
      onViolation: (what) => this.#violate(what),
    });
    this.#listener = new Listener(program, (what) => this.#violate(what));
    this.#starter = new Starter(program, parts);
    this.#operator = new Operator(program, {
      ledger: parts.ledger,
      look: (handle, machine) => this.#look(handle, machine),
      retryUntilDone: (machine, call) => this.#retryUntilDone(machine, call),
      start: (client, options) => this.#starter.startAs(client, options),
    });
  }

  get ending(): Ending | undefined {
    return this.#ending;
  }

  get mayBeCancelled(): boolean {
    return this.#cancelAsked || this.program.start.timeoutMs !== undefined;
  }

  get operatorCalls(): ReadonlyMap<Beginning, number> | undefined {
    return this.#parts.isContinued ? undefined : this.#operator.calls;
  }

  get heldCalls(): readonly HeldCall[] {
    return this.#parts.isContinued ? [] : this.#starter.calls;
  }

  get previousInstances(): ReadonlySet<string> {
    return this.#operator.previousInstances;
  }

  /** Resolves when another process than that of its client has started the program too. */
  async startToo({ drawing }: Clients, machine: Machine): Promise<void> {
    await this.#starter.startToo(drawing, machine);
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  get sendsInOrder(): boolean {
    return this.#sendsInOrder;
  }

  /** Starts the program, or goes on where an earlier process stopped. Resolves when the program has ended. */
  async run(clients: Clients, machine: Machine): Promise<void> {
    const { client } = clients;
    const { instanceId, start, cancelAfterMs } = this.program;
    this.#noteClock(machine);
    if (!this.#isStarted) {
      await this.#starter.start(clients, machine);
      this.#noteClock(machine);
      this.#sent = start.messages;
      this.#isStarted = true;
    }
    const handle = client.handle(NAME, instanceId);
    const isCancelled = cancelAfterMs !== undefined && !this.#isCancelled;
    const heard = this.#listener.hear(handle, machine);
    await Promise.all([
      this.#sendAll(client, handle, machine),
      isCancelled ? this.#cancel(handle, machine, cancelAfterMs) : undefined,
      this.#suspend(client, handle, machine),
      this.#operate(client, handle, machine),
      this.#watch(client, handle, machine, heard),
      this.#asker.run(handle, machine),
    ]);
  }

  async #operate(client: Client, handle: InstanceHandle<unknown>, machine: Machine): Promise<void> {
    if (await this.#operator.run(client, handle, machine)) this.#ending ??= { status: "Deleted" };
  }

  /** Sends the messages. A backlog waits all at once. */
  async #sendAll(client: Client, handle: InstanceHandle<unknown>, machine: Machine): Promise<void> {
    const { backlog = 0, instanceId, messages } = this.program;
    if (backlog === 0) return this.#send(messages.length, handle, machine);
    // The client was killed when all was sent, and perhaps before it resumed the instance.
    if (this.#sent === messages.length) return this.#resume(client, instanceId, machine);
    const suspend = (): Promise<boolean> =>
      unlessRefused(client.admin.suspend(instanceId, { reason: "a backlog is sent" }));
    while (!(await this.#retryUntilDone(machine, suspend))) await sleep(machine, AGAIN_MS);
    await this.#send(messages.length / 2, handle, machine);
    const noise = Array.from({ length: backlog }, (_, number) =>
      this.#retryUntilDone(machine, () =>
        unlessRefused(handle.enqueue(NOISE, `${number}`, { messageId: `${instanceId}-n${number}` })),
      ),
    );
    await Promise.all(noise);
    await this.#send(messages.length, handle, machine);
    await this.#resume(client, instanceId, machine);
  }

  /** The first `count` messages. */
  async #send(count: number, handle: InstanceHandle<unknown>, machine: Machine): Promise<void> {
    const { messages, gapMs, instanceId } = this.program;
    for (const { to, name, value } of messages.slice(this.#sent, count)) {
      if (this.#ending !== undefined) return;
      await sleep(machine, gapMs);
      this.#parts.reads.sending(instanceId, this.#sent);
      const options = { messageId: `${instanceId}-m${this.#sent}` };
      this.#noteClock(machine);
      const send = (): Promise<boolean> =>
        unlessRefused(
          to === "queue"
            ? handle.enqueue(name, value, options)
            : handle.raise(keptEvent(name), value, options),
        );
      if (this.#sent % 3 !== 2) await this.#sendMisfit(name, handle, machine);
      const isSent = await this.#retryUntilDone(machine, send);
      if (isSent && to === "queue" && this.program.operations.length === 0) this.#parts.accepted(name, value);
      if (this.#parts.forgets()) {
        await sleep(machine, this.#parts.chance.pick(LATER_MS));
        await this.#retryUntilDone(machine, send);
      }
      this.#noteClock(machine);
      this.#sent++;
    }
  }

  /** Sends a message that is set aside. */
  async #sendMisfit(name: string, handle: InstanceHandle<unknown>, machine: Machine): Promise<void> {
    const messageId = `${this.program.instanceId}-x${this.#sent}`;
    const misfit = { misfit: this.#sent };
    await this.#retryUntilDone(machine, () =>
      unlessRefused(handle.enqueue<unknown>(name, misfit, { messageId })),
    );
  }

  #noteClock(machine: Machine): void {
    if (machine.wasSetBack || machine.now() < this.#sentAtMs) this.#sendsInOrder = false;
    this.#sentAtMs = Math.max(this.#sentAtMs, machine.now());
  }

  async #cancel(handle: InstanceHandle<unknown>, machine: Machine, afterMs: number): Promise<void> {
    await sleep(machine, afterMs);
    this.#cancelAsked = true;
    this.#parts.reads.cancelling(handle.instanceId);
    await this.#retryUntilDone(machine, () => handle.cancel("the simulation cancels it"));
    this.#isCancelled = true;
  }

  /** Suspends the instance. One that has ended or is not there yet cannot be suspended: both are refused. */
  async #suspend(client: Client, handle: InstanceHandle<unknown>, machine: Machine): Promise<void> {
    const { suspension } = this.program;
    if (suspension === undefined || this.#isResumed) return;
    const { instanceId } = handle;
    await sleep(machine, suspension.afterMs);
    const isSuspended = await this.#retryUntilDone(machine, () =>
      unlessRefused(client.admin.suspend(instanceId, { reason: "the simulation suspends it" })),
    );
    if (isSuspended) {
      const positions = [positionOf(await this.#look(handle, machine))];
      for (let looks = 0; looks < LOOKS; looks++) {
        await sleep(machine, suspension.forMs / LOOKS);
        positions.push(positionOf(await this.#look(handle, machine)));
      }
      this.#checkSuspended(instanceId, positions);
    }
    await this.#resume(client, instanceId, machine);
    this.#isResumed = true;
  }

  /**
   * Resumes the instance until that has succeeded: a suspension whose answer was lost may have been stored. Where the
   * start has not been taken yet, or a replica lags behind, the instance comes later.
   */
  async #resume(client: Client, instanceId: string, machine: Machine): Promise<void> {
    while (!(await this.#retryUntilDone(machine, () => unlessRefused(client.admin.resume(instanceId))))) {
      // An operator has ended it for good.
      if (this.#ending !== undefined) return;
      await sleep(machine, AGAIN_MS);
    }
  }

  /** linear-reads.R4. Reads of replicas that lag behind may show an earlier turn first. */
  #checkSuspended(instanceId: string, positions: readonly string[]): void {
    const { reads, onViolation } = this.#parts;
    if (this.program.operations.length > 0 || !reads.isAcrossProcesses) return;
    const changes = positions.filter((each, index) => index > 0 && each !== positions[index - 1]).length;
    if (changes > 1) onViolation(`${instanceId}: went from ${positions.join(" to ")} while it was suspended`);
  }

  async #watch(
    client: Client,
    handle: InstanceHandle<unknown>,
    machine: Machine,
    heard: Promise<void>,
  ): Promise<void> {
    const { chance, others } = this.#parts;
    while (this.#ending === undefined) {
      await sleep(machine, chance.pick(LOOK_MS));
      const status = await this.#look(handle, machine);
      if (!this.#operator.isFinal(status)) continue;
      await heard;
      if (status.status === "Completed") {
        this.#listener.check();
        this.#ending = { status: "Completed", output: status.output };
      } else if ("details" in status) this.#ending = { status: "Failed", message: status.message };
      const other = others[chance.below(others.length)];
      if (other !== undefined && chance.happens(0.2)) await this.#look(client.handle(NAME, other), machine);
      if (chance.happens(0.2)) await this.#lookAtEntry(client.handle(NAME, other ?? ""), machine);
      if (chance.happens(0.2)) await this.#lookAtEntry(handle, machine);
    }
    await this.#starter.startTooLate(client, machine);
  }

  async #look(handle: InstanceHandle<unknown>, machine: Machine): Promise<OrchestrationStatus> {
    const { reads, ledger } = this.#parts;
    const status = await this.#retryUntilDone(machine, () =>
      reads.status(handle.instanceId, machine.name, () => handle.status()),
    );
    if (status.status === "Completed") ledger.noteDetached(machine, detachedIn(status.output));
    return status;
  }

  #lookAtEntry(handle: InstanceHandle<unknown>, machine: Machine): Promise<unknown> {
    const { reads, chance } = this.#parts;
    const { instanceId } = handle;
    const [key, all] = [chance.pick(KEYS), chance.happens(0.5)];
    return this.#retryUntilDone(machine, () =>
      all
        ? reads.entries(instanceId, machine.name, () => handle.entries())
        : reads.entry(instanceId, machine.name, key, () => handle.get(key)),
    );
  }

  #retryUntilDone<T>(machine: Machine, call: () => Promise<T>): Promise<T> {
    return retryUntilDone(machine, call, (what) => this.#violate(what));
  }

  #violate(what: string): void {
    this.#parts.onViolation(`${this.program.instanceId}: ${what}`);
  }
}

function positionOf(status: OrchestrationStatus): string {
  if (status.status === "NotFound") return status.status;
  // By the clock of the process alone, which may be set back.
  const name = status.status === "Scheduled" ? "Running" : status.status;
  return `${name}/${status.executionId}/${status.customStatusVersion}`;
}
