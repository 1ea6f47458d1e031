/** One instance of the soak, from its start to its end. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client, InstanceHandle, QueueDefinition } from "@duroxide-ts/core";
import { persist as persistEvery } from "../../support/persist.ts";
import { GO, go, LETTERS, letters } from "../programs/innocent.ts";
import type { End, Plan } from "../programs/program.ts";

const LOOK_EVERY_MS = 200;

export class Instance {
  readonly plan: Plan;
  readonly id: string;
  readonly handle: InstanceHandle<unknown>;
  /** How it ended; undefined while it runs. */
  end: End | undefined;
  isStarted = false;
  /** Custom status at the last read. */
  customStatus: unknown;
  readonly #client: Client;
  #isSent = false;
  #isGivenUp = false;

  constructor(client: Client, plan: Plan, number: number) {
    this.#client = client;
    this.plan = plan;
    this.id = `${plan.group}-${plan.name}-${number}`;
    this.handle = client.handle(plan.name, this.id);
  }

  /** Starts it, and sends what it needs. */
  async run(): Promise<void> {
    const { name, input, needs, cancelAfterMs } = this.plan;
    await persist(() => this.#client.start(name, { instanceId: this.id, input }));
    this.isStarted = true;
    if (needs !== undefined) await this.#send(needs);
    this.#isSent = true;
    if (cancelAfterMs === undefined) return;
    await sleep(cancelAfterMs);
    await persist(() => this.handle.cancel("no longer wanted"));
  }

  /** Reads once how it stands. */
  async look(): Promise<void> {
    if (!this.isStarted || this.end !== undefined) return;
    const status = await persist(() => this.handle.status());
    if (status.status === "NotFound") return;
    this.customStatus = status.customStatus;
    const isOpen = ["Running", "Scheduled", "Waiting"].includes(status.status);
    if (!isOpen) this.end = status as NonNullable<typeof this.end>;
  }

  /** Sends a message once it has a history to be read by. */
  async sendOnceWaiting<T>(queue: QueueDefinition<T>, message: T): Promise<void> {
    await this.#until(() => this.customStatus === "waiting");
    if (!this.#isOver) await persist(() => this.handle.enqueue<unknown>(queue.name, message, KEEP));
  }

  /** Nothing more is sent. */
  giveUp(): void {
    this.#isGivenUp = true;
  }

  /** State in the words of a violation. */
  get standing(): string {
    if (!this.isStarted) return "was not started";
    return this.#isSent ? "still runs" : "still runs, and does not ask for what it needs";
  }

  /** Messages to an instance that has not begun are dropped, and so are events without a wait. */
  async #send(needs: NonNullable<Plan["needs"]>): Promise<void> {
    if (needs === "go") {
      await this.#until(() => this.customStatus === "waiting");
      if (!this.#isOver) await persist(() => this.handle.raise(go, GO, KEEP));
      return;
    }
    await this.#until(async () => (await persist(() => this.handle.status())).status !== "NotFound");
    for (const letter of this.#isOver ? [] : LETTERS)
      await persist(() => this.handle.enqueue(letters, letter, KEEP));
  }

  async #until(holds: () => boolean | Promise<boolean>): Promise<void> {
    while (!this.#isOver && !(await holds())) await sleep(LOOK_EVERY_MS);
  }

  get #isOver(): boolean {
    return this.end !== undefined || this.#isGivenUp;
  }
}

/** A repetition may find an instance that the first one has ended. */
const KEEP = { ifMissing: "keep" } as const;

/** Repeats the call as a client would. */
function persist<T>(call: () => Promise<T>): Promise<T> {
  return persistEvery(call, LOOK_EVERY_MS);
}
