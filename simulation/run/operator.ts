/**
 * Changes the instance of one program by hand, as its plan says (programs/operations.ts). What it has done outlives its
 * process; what was under way is done again by the next one, as an operator does who has not seen an answer.
 *
 * - operator.OP1: A change has been made when its verb has succeeded once. An instance that does not allow it yet is
 *   asked again, because a start may not have been taken, an execution not have ended, or a replica lag behind.
 * - operator.OP2: Only what is read after the last change, of its execution or a later one, is the end of the program.
 * - operator.OP3: What is started over is not the end. Each life of a program has detached instances of its own
 *   (programs/drop.ts).
 */
import {
  type Client,
  type InstanceHandle,
  type OrchestrationStatus,
  ProviderError,
  sleep,
} from "@duroxide-ts/core";
import { hasEnded } from "@duroxide-ts/core/stores";
import type { Beginning } from "../checks/by-hand.ts";
import { detachedIn } from "../programs/drop.ts";
import type { Ledger } from "../programs/ledger.ts";
import type { Message, Operation, Program } from "../programs/step.ts";
import type { Machine } from "../world/machine.ts";
import { orRefused, unlessRefused } from "./retry-until-done.ts";

/** Longer than a replica that lags shows an instance as absent (cosmos/partition-troubles.ts). */
const CAUGHT_UP_MS = 5_000;

/** How the instance is started, by the client or by an operator. */
export interface StartAs {
  readonly ifExists: "reuse" | "fail" | "restart";
  /** The same for every repetition. */
  readonly messageId: string;
  /** They are stored with the start. */
  readonly messages?: readonly Message[];
  /** The client draws the id. */
  readonly drawsId?: boolean;
}

export interface OperatorParts {
  readonly ledger: Ledger;
  readonly look: (handle: InstanceHandle<unknown>, machine: Machine) => Promise<OrchestrationStatus>;
  readonly retryUntilDone: <T>(machine: Machine, call: () => Promise<T>) => Promise<T>;
  readonly start: (client: Client, options: StartAs) => Promise<void>;
}

/** Longest time between two reads of an instance that does not allow a change yet, ms. */
const AGAIN_MS = 500;
/** Factor by which each pause grows. */
const GROWTH = 1.2;

const LOOK_MS = 3_000;

/** Verbs that begin an execution with a part of another. */
const CHANGES: ReadonlySet<string> = new Set(["retry", "rewind"]);

const BY = { by: "operator", reason: "the simulation changes it" } as const;

/** Arguments of an operation. */
interface Tools {
  readonly client: Client;
  readonly handle: InstanceHandle<unknown>;
  readonly machine: Machine;
}

/** The end of a refusal of what needs a turn to go back to. */
const WANTS_RESTART = /restart it$/;

export class Operator {
  readonly #program: Program;
  readonly #parts: OperatorParts;
  #done = 0;
  /** The execution that the last change began. */
  #leastExecution = 0;
  #mayBeDeleted = false;
  #isGone = false;
  /** A retry has not been answered yet. */
  #isRetrying = false;
  readonly #calls = new Map<Beginning, number>();
  readonly #previousInstances = new Set<string>();

  constructor(program: Program, parts: OperatorParts) {
    this.#program = program;
    this.#parts = parts;
  }

  /** How many calls were not refused, by verb; also those that were not answered. */
  get calls(): ReadonlyMap<Beginning, number> {
    return this.#calls;
  }

  /** operator.OP3. */
  get previousInstances(): ReadonlySet<string> {
    return this.#previousInstances;
  }

  /** operator.OP2. */
  isFinal(status: OrchestrationStatus): boolean {
    const { operations } = this.#program;
    if (operations.length === 0) return true;
    if (this.#done < operations.length || status.status === "NotFound" || status.status === "Running") {
      return false;
    }
    const isTerminated = operations.at(-1)?.verb === "terminate";
    return status.executionId >= this.#leastExecution && (status.status === "Completed" || isTerminated);
  }

  /** Resolves when all is done, with true where the instance is to be gone for good. */
  async run(client: Client, handle: InstanceHandle<unknown>, machine: Machine): Promise<boolean> {
    const { operations } = this.#program;
    for (const operation of operations.slice(this.#done)) {
      await sleep(machine, operation.afterMs);
      for (let attempt = 0; !(await this.#attempt(operation, { client, handle, machine })); attempt++) {
        await sleep(machine, againMs(operation, attempt));
      }
      this.#done++;
    }
    if (operations.some(({ verb }) => CHANGES.has(verb)))
      await this.#untilConsistent({ client, handle, machine });
    return this.#isGone;
  }

  /**
   * A retry starts an absent child again. If a worker takes the first start between the look at the child and its
   * second start, the program fails (docs/decisions/verbs.md, Consequence), and is retried once more.
   */
  async #untilConsistent({ client, handle, machine }: Tools): Promise<void> {
    const { look } = this.#parts;
    for (;;) {
      const status = await look(handle, machine);
      if (status.status === "Completed" || this.isFinal(status)) return;
      const isFailed = "details" in status && /already exists/i.test(status.message);
      if (isFailed || this.#isRetrying) {
        const isRetried = await this.#askRetry({ client, handle, machine });
        if (!isRetried && isFailed) await this.#rewind(0, { client, handle, machine });
      }
      await sleep(machine, LOOK_MS);
    }
  }

  /** False where it is to be asked again. */
  async #attempt(operation: Operation, { client, handle, machine }: Tools): Promise<boolean> {
    const { retryUntilDone, look, start } = this.#parts;
    const { instanceId } = handle;
    switch (operation.verb) {
      case "terminate":
        return this.#terminate({ client, handle, machine });
      case "retry":
        return this.#retry(operation.mayRefuse, { client, handle, machine });
      case "rewind":
        return this.#rewind(operation.to, { client, handle, machine });
      case "restart":
        return this.#restart({ client, handle, machine });
      case "prune":
        return this.#prune({ client, handle, machine });
      case "delete":
        return this.#delete(operation.force, { client, handle, machine });
      case "start":
        this.#isGone = false;
        this.#mayBeDeleted = false;
        await retryUntilDone(machine, () =>
          start(client, { ifExists: "reuse", messageId: `${instanceId}-again` }),
        );
        return true;
      case "start over": {
        // The result names what stays (programs/drop.ts).
        const seen = operation.looks ? await look(handle, machine) : undefined;
        if (seen?.status === "NotFound" || seen?.status === "Running") return false;
        if (seen?.status === "Completed") this.#noteLife(seen.output);
        const messageId = `${instanceId}-over${this.#done}`;
        return retryUntilDone(machine, () =>
          unlessRefused(start(client, { ifExists: "restart", messageId })),
        );
      }
    }
  }

  #noteLife(output: unknown): void {
    for (const instanceId of detachedIn(output)) this.#previousInstances.add(instanceId);
  }

  /** Terminates the instance, unless it has ended by itself. */
  async #terminate({ client, handle, machine }: Tools): Promise<boolean> {
    const { look, retryUntilDone } = this.#parts;
    if ((await look(handle, machine)).status === "NotFound") return false;
    await retryUntilDone(machine, () => unlessRefused(client.admin.terminate(handle.instanceId, BY)));
    const seen = await look(handle, machine);
    return hasEnded(seen.status);
  }

  /**
   * Retries the instance until it has completed: an execution that was retried may come to other work that fails, or be
   * blocked, because its code had done something in a later turn due to the failure
   * (earlier-failures.F2).
   */
  async #retry(mayRefuse: boolean, { client, handle, machine }: Tools): Promise<boolean> {
    const { look, ledger } = this.#parts;
    const seen = await look(handle, machine);
    const { status } = seen;
    const isStuck = "blocked" in seen && seen.blocked?.some(({ reason }) => reason === "nondeterminism");
    if (mayRefuse && isStuck) await this.#rewind(0, { client, handle, machine });
    const isFailed = "details" in seen;
    if (!isFailed && !this.#isRetrying) return status === "Completed";
    ledger.mend(handle.instanceId);
    const isRetried = await this.#askRetry({ client, handle, machine });
    if (!isRetried && mayRefuse && isFailed) await this.#rewind(0, { client, handle, machine });
    return false;
  }

  /**
   * A retry whose process died before it was answered may have left children as they were, and is asked for again. An
   * instance that was terminated before a turn of its execution is restarted, as the refusal says.
   */
  async #askRetry({ client, handle, machine }: Tools): Promise<boolean> {
    const { retryUntilDone } = this.#parts;
    this.#isRetrying = true;
    let refusal = "";
    const ask = (): Promise<unknown> =>
      client.admin.retry(handle.instanceId, BY).catch((error: unknown) => {
        refusal = String(error);
        throw error;
      });
    const answer = await retryUntilDone(machine, () => this.#call("retry", ask()));
    this.#isRetrying = false;
    if (answer === undefined && WANTS_RESTART.test(refusal))
      return this.#restart({ client, handle, machine });
    return answer !== undefined;
  }

  /** Notes a call; `undefined` where it is refused. */
  async #call<T>(verb: Beginning, call: Promise<T>): Promise<{ readonly value: T } | undefined> {
    this.#note(verb, 1);
    const answer = await orRefused(call);
    if (answer === undefined) this.#note(verb, -1);
    return answer;
  }

  #note(verb: Beginning, change: 1 | -1): void {
    this.#calls.set(verb, (this.#calls.get(verb) ?? 0) + change);
  }

  async #rewind(to: number, { client, handle, machine }: Tools): Promise<boolean> {
    const { retryUntilDone } = this.#parts;
    const { admin } = client;
    const { instanceId } = handle;
    const events = await retryUntilDone(machine, () => orRefused(admin.history(instanceId)));
    const last = Number(events?.value.at(-1)?.event_id ?? 0);
    if (last === 0) return false;
    const toEvent = Math.max(1, Math.ceil(to * last));
    let refusal = "";
    const ask = (): Promise<{ readonly executionId: number }> =>
      admin.rewind(instanceId, { ...BY, toEvent }).catch((error: unknown) => {
        refusal = String(error);
        throw error;
      });
    if (this.#begun(await retryUntilDone(machine, () => this.#call("rewind", ask())))) return true;
    // Its execution has no turn to go back to, and the refusal says what to do.
    if (WANTS_RESTART.test(refusal)) return this.#restart({ client, handle, machine });
    const isImpossible = /was pruned/.test(refusal);
    // An instance with key-values cannot be rewound any more. A retry completes a rewind whose process died.
    if (isImpossible) await this.#askRetry({ client, handle, machine });
    return isImpossible;
  }

  async #restart({ client: { admin }, handle: { instanceId }, machine }: Tools): Promise<boolean> {
    const { retryUntilDone } = this.#parts;
    return this.#begun(
      await retryUntilDone(machine, () => this.#call("restart", admin.restart(instanceId, BY))),
    );
  }

  async #prune({ client, handle, machine }: Tools): Promise<boolean> {
    const { retryUntilDone } = this.#parts;
    return retryUntilDone(machine, () =>
      unlessRefused(client.admin.prune(handle.instanceId, { keepLast: 1 })),
    );
  }

  async #delete(force: boolean, { client, handle, machine }: Tools): Promise<boolean> {
    const { look, retryUntilDone } = this.#parts;
    const isAbsent = async (): Promise<boolean> => (await look(handle, machine)).status === "NotFound";
    if (await isAbsent()) {
      // A start that waits in the queue is not deleted; an earlier request, whose answer was lost, may have deleted it.
      if (!this.#mayBeDeleted) return false;
      await sleep(machine, CAUGHT_UP_MS);
      this.#isGone = await isAbsent();
    } else {
      this.#mayBeDeleted = true;
      const answer = await retryUntilDone(machine, () =>
        answerOf(client.admin.delete(handle.instanceId, { force })),
      );
      this.#isGone = answer === "deleted";
      // What refuses is there, whatever a replica shows afterwards that lags behind.
      if (answer === "refused") this.#mayBeDeleted = false;
    }
    return this.#isGone;
  }

  #begun(answer: { readonly value: { readonly executionId: number } } | undefined): boolean {
    if (answer !== undefined) this.#leastExecution = answer.value.executionId;
    return answer !== undefined;
  }
}

function againMs(operation: Operation, attempt: number): number {
  const firstMs = (operation.verb === "start over" ? operation.againMs : undefined) ?? AGAIN_MS;
  return Math.min(Math.round(firstMs * GROWTH ** attempt), AGAIN_MS);
}

async function answerOf(deletion: Promise<unknown>): Promise<"deleted" | "absent" | "refused"> {
  const deleted = deletion.then(
    () => "deleted" as const,
    (error: unknown) => {
      if (ProviderError.is(error) && error.code === "instance-not-found") return "absent" as const;
      throw error;
    },
  );
  return (await orRefused(deleted))?.value ?? "refused";
}
