/** How the client of a program starts it: once, against a rival, held back, or under an id that is said to be new. */
import { type Client, sleep } from "@duroxide-ts/core";
import type { HeldCall } from "../checks/held-starts.ts";
import type { LinearReads } from "../checks/linear-reads.ts";
import { keptEvent } from "../programs/carry-out.ts";
import { type Debounced, type Message, NAME, type Program, type Start, type Task } from "../programs/step.ts";
import type { Machine } from "../world/machine.ts";
import type { StartAs } from "./operator.ts";
import { retryUntilDone, unlessRefused } from "./retry-until-done.ts";

/** The clients of a process for a program. */
export interface Clients {
  readonly client: Client;
  /** Draws the id of the program for whatever it starts without one. */
  readonly drawing: Client;
}

export interface StarterParts {
  readonly reads: LinearReads;
  /**
   * The client draws the id of the instance, and another process the same so long after it, ms: it is not always new.
   * Undefined where the client names it.
   */
  readonly drawnAgainAfterMs: number | undefined;
  /** Whether a client repeats a call although it was answered, as after a death before it noted the answer. */
  readonly forgets: () => boolean;
  readonly nowMs: () => number;
  /** The store has what an earlier client of the program has done, up to some time. */
  readonly isContinued: boolean;
  readonly onViolation: (violation: string) => void;
}

function heldBy({ limit, priority }: Start): Pick<Start, "limit" | "priority"> {
  return { ...(limit !== undefined && { limit }), ...(priority !== undefined && { priority }) };
}

export class Starter {
  /** The calls of a debounced start. */
  readonly calls: HeldCall[] = [];
  readonly #program: Program;
  readonly #parts: StarterParts;
  #isStartedToo = false;

  constructor(program: Program, parts: StarterParts) {
    this.#program = program;
    this.#parts = parts;
  }

  async start(clients: Clients, machine: Machine): Promise<void> {
    this.#noteStart();
    await (this.#hasRival ? this.#startOnce(clients.client, machine) : this.#startAlone(clients, machine));
  }

  /** Starts it from another process, under the id that is said to be new. */
  async startToo(drawing: Client, machine: Machine): Promise<void> {
    if (!this.#drawsId || this.#isStartedToo) return;
    await sleep(machine, this.#parts.drawnAgainAfterMs ?? 0);
    this.#noteStart();
    await this.#retryUntilDone(machine, () => this.startAs(drawing, this.#drawn));
    this.#isStartedToo = true;
  }

  /** The id is taken after the end too. */
  async startTooLate(client: Client, machine: Machine): Promise<void> {
    if (this.#hasRival && (await this.#isStoredBy("late", client, machine)))
      this.#violate("was started again");
  }

  #noteStart(): void {
    const { instanceId, start } = this.#program;
    const { reads } = this.#parts;
    reads.starting(instanceId);
    if (start.messages > 0) reads.sending(instanceId, start.messages - 1);
  }

  /** It is started twice at once, and each start requires that its id is free, which an operator may free in between. */
  get #hasRival(): boolean {
    const { start, operations } = this.#program;
    return start.ifExists === "fail" && operations.length === 0 && !this.#parts.isContinued;
  }

  /** Only where a second start has no effect at any time. */
  get #drawsId(): boolean {
    const { start, operations } = this.#program;
    const { drawnAgainAfterMs, isContinued } = this.#parts;
    const isSimple = start.ifExists === "reuse" && start.debounce === undefined && operations.length === 0;
    return drawnAgainAfterMs !== undefined && isSimple && !isContinued;
  }

  get #drawn(): StartAs {
    return { ...this.#startedBy("start"), drawsId: true };
  }

  /** One of the two starts is stored, and repeating it does not change that. */
  async #startOnce(client: Client, machine: Machine): Promise<void> {
    const starts = ["start", "rival"].map((by) => this.#isStoredBy(by, client, machine));
    const count = (await Promise.all(starts)).filter((isStored) => isStored).length;
    if (count !== 1) this.#violate(`${count} of two starts were stored`);
  }

  #isStoredBy(by: string, client: Client, machine: Machine): Promise<boolean> {
    return this.#retryUntilDone(machine, () => unlessRefused(this.startAs(client, this.#startedBy(by))));
  }

  async #startAlone({ client, drawing }: Clients, machine: Machine): Promise<void> {
    const { isContinued, forgets } = this.#parts;
    const { debounce } = this.#program.start;
    if (debounce !== undefined) return this.#startHeld(client, machine, debounce);
    const start = (): Promise<unknown> =>
      isContinued
        ? this.#isStoredBy("start", client, machine)
        : this.#retryUntilDone(machine, () =>
            this.#drawsId
              ? this.startAs(drawing, this.#drawn)
              : this.startAs(client, this.#startedBy("start")),
          );
    await start();
    if (this.#program.operations.length === 0 && forgets()) await start();
  }

  /** Starts it again and again. A call whose process died before its answer is repeated. */
  async #startHeld(client: Client, machine: Machine, debounce: Debounced): Promise<void> {
    const { instanceId, steps, cleansUp } = this.#program;
    const { calls, gapMs, waitMs, maxMs } = debounce;
    for (;;) {
      const answered = this.calls.filter(({ answeredMs }) => answeredMs !== undefined).length;
      if (answered === calls) return;
      this.calls[answered] ??= { askedMs: this.#parts.nowMs() };
      const call = this.calls[answered];
      const input: Task = { steps, results: [], cleansUp, call: answered };
      const options = {
        instanceId,
        input,
        tags: { program: instanceId },
        messageId: `${instanceId}-start${answered}`,
        debounce: { wait: { ms: waitMs }, ...(maxMs !== undefined && { max: { ms: maxMs } }) },
        ...heldBy(this.#program.start),
      };
      await this.#retryUntilDone(machine, () => client.start(NAME, options));
      call.answeredMs = this.#parts.nowMs();
      await sleep(machine, gapMs);
    }
  }

  #startedBy(by: string): StartAs {
    const { instanceId, start, messages } = this.#program;
    const { ifExists } = start;
    return { ifExists, messageId: `${instanceId}-${by}`, messages: messages.slice(0, start.messages) };
  }

  /** Starts the program. Without options that need it, a start is only its message. */
  async startAs(client: Client, options: StartAs): Promise<void> {
    const { instanceId, steps, cleansUp } = this.#program;
    const { timeoutMs, afterMs } = this.#program.start;
    const after = afterMs === undefined ? {} : { after: { ms: afterMs } };
    const limits = heldBy(this.#program.start);
    const input: Task = { steps, results: [], cleansUp };
    const { ifExists, messageId, messages = [], drawsId = false } = options;
    const id = drawsId ? {} : { instanceId };
    const tags = { program: instanceId };
    if (ifExists === "reuse" && messages.length === 0 && timeoutMs === undefined) {
      await client.start(NAME, { ...id, input, tags, ...after, ...limits });
      return;
    }
    const to = (kind: Message["to"]): readonly Message[] => messages.filter((each) => each.to === kind);
    await client.start(NAME, {
      ...id,
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

  #retryUntilDone<T>(machine: Machine, call: () => Promise<T>): Promise<T> {
    return retryUntilDone(machine, call, (what) => this.#violate(what));
  }

  #violate(what: string): void {
    this.#parts.onViolation(`${this.#program.instanceId}: ${what}`);
  }
}
