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
import {
  type Debounced,
  KEYS,
  type Message,
  NAME,
  NOISE,
  type Program,
  type Start,
  type Task,
} from "../programs/step.ts";
import type { Chance } from "../world/chance.ts";
import type { Machine } from "../world/machine.ts";
import { Asker } from "./asker.ts";
import { Listener } from "./listener.ts";
import { Operator, type StartAs } from "./operator.ts";
import { retryUntilDone, unlessRefused } from "./retry-until-done.ts";

export interface DriverParts {
  readonly reads: LinearReads;
  readonly ledger: Ledger;
  /** Instances of other clients, which it looks at now and then. */
  readonly others: readonly string[];
  readonly chance: Chance;
  /** Whether a client repeats a call although it was answered, as after a death before it noted the answer. */
  readonly forgets: () => boolean;
  /** A message was accepted. */
  readonly accepted: (queue: string, value: string) => void;
  readonly nowMs: () => number;
  /** The store has what an earlier client of the program has done, up to some time. */
  readonly isContinued: boolean;
  readonly onViolation: (violation: string) => void;
}

/** At a suspended instance. */
const LOOKS = 4;
const AGAIN_MS = 200;
/** After a message was accepted, it is repeated. */
const LATER_MS = [0, 0, 1_000, 5_000] as const;
const LOOK_MS = [500, 2_000, 6_000] as const;

function heldBy({ limit, priority }: Start): Pick<Start, "limit" | "priority"> {
  return { ...(limit !== undefined && { limit }), ...(priority !== undefined && { priority }) };
}

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
  /** The calls of a debounced start. */
  readonly #calls: HeldCall[] = [];
  #ending: Ending | undefined;
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
    this.#operator = new Operator(program, {
      ledger: parts.ledger,
      look: (handle, machine) => this.#look(handle, machine),
      retryUntilDone: (machine, call) => this.#retryUntilDone(machine, call),
      start: (client, options) => this.#start(client, options),
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
    return this.#parts.isContinued ? [] : this.#calls;
  }

  get previousInstances(): ReadonlySet<string> {
    return this.#operator.previousInstances;
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  get sendsInOrder(): boolean {
    return this.#sendsInOrder;
  }

  /** Starts the program, or goes on where an earlier process stopped. Resolves when the program has ended. */
  async run(client: Client, machine: Machine): Promise<void> {
    const { instanceId, start, cancelAfterMs } = this.program;
    const { reads } = this.#parts;
    this.#noteClock(machine);
    if (!this.#isStarted) {
      reads.starting(instanceId);
      if (start.messages > 0) reads.sending(instanceId, start.messages - 1);
      await (this.#hasRival ? this.#startOnce(client, machine) : this.#startAlone(client, machine));
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

  /** It is started twice at once, and each start requires that its id is free, which an operator may free in between. */
  get #hasRival(): boolean {
    const { start, operations } = this.program;
    return start.ifExists === "fail" && operations.length === 0 && !this.#parts.isContinued;
  }

  /** One of the two starts is stored, and repeating it does not change that. */
  async #startOnce(client: Client, machine: Machine): Promise<void> {
    const starts = ["start", "rival"].map((by) => this.#isStoredBy(by, client, machine));
    const count = (await Promise.all(starts)).filter((isStored) => isStored).length;
    if (count !== 1) this.#violate(`${count} of two starts were stored`);
  }

  /** The id is taken after the end too. */
  async #startTooLate(client: Client, machine: Machine): Promise<void> {
    if (this.#hasRival && (await this.#isStoredBy("late", client, machine)))
      this.#violate("was started again");
  }

  #isStoredBy(by: string, client: Client, machine: Machine): Promise<boolean> {
    return this.#retryUntilDone(machine, () => unlessRefused(this.#start(client, this.#startedBy(by))));
  }

  async #startAlone(client: Client, machine: Machine): Promise<void> {
    const { isContinued, forgets } = this.#parts;
    const { debounce } = this.program.start;
    if (debounce !== undefined) return this.#startHeld(client, machine, debounce);
    const start = (): Promise<unknown> =>
      isContinued
        ? this.#isStoredBy("start", client, machine)
        : this.#retryUntilDone(machine, () => this.#start(client, this.#startedBy("start")));
    await start();
    if (this.program.operations.length === 0 && forgets()) await start();
  }

  /** Starts it again and again. A call whose process died before its answer is repeated. */
  async #startHeld(client: Client, machine: Machine, debounce: Debounced): Promise<void> {
    const { instanceId, steps, cleansUp } = this.program;
    const { calls, gapMs, waitMs, maxMs } = debounce;
    for (;;) {
      const answered = this.#calls.filter(({ answeredMs }) => answeredMs !== undefined).length;
      if (answered === calls) return;
      this.#calls[answered] ??= { askedMs: this.#parts.nowMs() };
      const call = this.#calls[answered];
      const input: Task = { steps, results: [], cleansUp, call: answered };
      const options = {
        instanceId,
        input,
        tags: { program: instanceId },
        messageId: `${instanceId}-start${answered}`,
        debounce: { wait: { ms: waitMs }, ...(maxMs !== undefined && { max: { ms: maxMs } }) },
        ...heldBy(this.program.start),
      };
      await this.#retryUntilDone(machine, () => client.start(NAME, options));
      call.answeredMs = this.#parts.nowMs();
      await sleep(machine, gapMs);
    }
  }

  #startedBy(by: string): StartAs {
    const { instanceId, start, messages } = this.program;
    const { ifExists } = start;
    return { ifExists, messageId: `${instanceId}-${by}`, messages: messages.slice(0, start.messages) };
  }

  /** Starts the program. Without options that need it, a start is only its message. */
  async #start(client: Client, options: StartAs): Promise<void> {
    const { instanceId, steps, cleansUp } = this.program;
    const { timeoutMs, afterMs } = this.program.start;
    const after = afterMs === undefined ? {} : { after: { ms: afterMs } };
    const limits = heldBy(this.program.start);
    const input: Task = { steps, results: [], cleansUp };
    const { ifExists, messageId, messages = [] } = options;
    const tags = { program: instanceId };
    if (ifExists === "reuse" && messages.length === 0 && timeoutMs === undefined) {
      await client.start(NAME, { instanceId, input, tags, ...after, ...limits });
      return;
    }
    const to = (kind: Message["to"]): readonly Message[] => messages.filter((each) => each.to === kind);
    await client.start(NAME, {
      instanceId,
      input,
      tags,
      ifExists,
      messageId,
      ...after,
      ...limits,
      ...(timeoutMs !== undefined && { timeout: { ms: timeoutMs } }),
      enqueue: to("queue").map(({ name, value }) => ({ queue: name, message: value })),
      raise: to("event").map(({ name, value }) => ({ event: keptEvent(name), data: value })),
    });
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
    await this.#startTooLate(client, machine);
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
  return `${status.status}/${status.executionId}/${status.customStatusVersion}`;
}
