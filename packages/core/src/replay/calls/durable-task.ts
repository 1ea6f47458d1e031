/**
 * The promise of a durable call, as user code holds it.
 *
 * - durable-task.P1: The native promise is created when the code first awaits the result. Therefore a rejection that is
 *   never awaited is not an unhandled rejection, and the engine sees which calls the code waits for.
 * - durable-task.P2: A task settles once; later results are ignored. A cancelled task rejects at once, even if its work
 *   continues.
 * - durable-task.P3: A task is abandoned while each of its awaits is that of a `Promise.race` that is decided
 *   (guard/races.ts).
 */
import type { Task } from "../../define/task.ts";
import { CancelledError, InvalidInputError } from "../../errors/duroxide-error.ts";
import type { Race } from "../../guard/races.ts";

type State<T> =
  | { readonly kind: "pending" }
  | { readonly kind: "fulfilled"; readonly value: T }
  | { readonly kind: "rejected"; readonly error: unknown };

const PENDING = { kind: "pending" } as const;

export class DurableTask<T> implements Task<T> {
  readonly [Symbol.toStringTag] = "Task";
  #state: State<T> = PENDING;
  #settlers: PromiseWithResolvers<T> | undefined;
  /** The number of times that the result was awaited. */
  #awaits = 0;
  #races: Race[] | undefined;
  readonly #onCancel: ((reason: unknown) => void) | undefined;
  #onSettled: (() => void) | undefined;

  /** `onCancel` stops the work behind the task; it runs at most once, before the task rejects. */
  constructor(onCancel?: (reason: unknown) => void) {
    this.#onCancel = onCancel;
  }

  /** Throws, because the compiler accepts a task in a template or a sum: `${task}` would be "[object Task]". */
  [Symbol.toPrimitive](): never {
    throw new InvalidInputError("a task was used as a value; await it first");
  }

  get pending(): boolean {
    return this.#state.kind === "pending";
  }

  /** durable-task.P3 */
  get abandoned(): boolean {
    const races = this.#races ?? [];
    return races.length > 0 && this.#awaits <= races.length && races.every((race) => race.isLostBy(this));
  }

  noteRace(race: Race): void {
    this.#races ??= [];
    this.#races.push(race);
  }

  /** Whether the code has awaited the result (durable-task.P1). */
  get observed(): boolean {
    return this.#settlers !== undefined;
  }

  fulfil(value: T): void {
    if (!this.pending) return;
    this.#state = { kind: "fulfilled", value };
    this.#settlers?.resolve(value);
    this.#onSettled?.();
  }

  reject(error: unknown): void {
    if (!this.pending) return;
    this.#state = { kind: "rejected", error };
    this.#settlers?.reject(error);
    this.#onSettled?.();
  }

  /** Cancels it when the signal aborts. A settled task leaves the signal, which may serve thousands of calls. */
  follow(signal: AbortSignal): void {
    const abort = (): void => this.cancel(signal.reason);
    if (signal.aborted) abort();
    if (!this.pending) return;
    signal.addEventListener("abort", abort, { once: true });
    this.#onSettled = () => signal.removeEventListener("abort", abort);
  }

  cancel(reason?: unknown): void {
    if (!this.pending) return;
    this.#onCancel?.(reason);
    this.reject(reason instanceof CancelledError ? reason : new CancelledError(reason));
  }

  // biome-ignore lint/suspicious/noThenProperty: a task is a promise, and needs to know when it is awaited
  then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#native().then(onFulfilled, onRejected);
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.#native().catch(onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.#native().finally(onFinally);
  }

  #native(): Promise<T> {
    this.#awaits++;
    if (this.#settlers === undefined) {
      this.#settlers = Promise.withResolvers<T>();
      if (this.#state.kind === "fulfilled") this.#settlers.resolve(this.#state.value);
      if (this.#state.kind === "rejected") this.#settlers.reject(this.#state.error);
    }
    return this.#settlers.promise;
  }
}

/** A task that has rejected, because its call was refused. */
export function refusedTask(error: unknown): DurableTask<never> {
  const task = new DurableTask<never>();
  task.reject(error);
  return task;
}

/**
 * The one place where an untyped task gets the type that its definition promises. The task is cancelled when the
 * signal aborts.
 */
export function typedTask<T>(task: DurableTask<unknown>, signal?: AbortSignal): Task<T> {
  if (signal !== undefined) task.follow(signal);
  return task as unknown as Task<T>;
}
