/**
 * A transaction between BEGIN and COMMIT, with the outcomes of its operations. It always ends: a failure of any step
 * rolls it back and is thrown as a `FailedTransaction` with the failed step.
 */
import type { Random } from "@duroxide-ts/core";
import { invariant, ProviderError, secretOf } from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import { Effects } from "./effects.ts";
import type { LockHolder } from "./lock-holder.ts";
import type { Transaction, WriteOperation } from "./transaction.ts";

/** A caller that waits for the outcome of its operation. */
export interface QueuedWrite {
  /** The contract method, for errors. */
  readonly name: string;
  readonly operation: WriteOperation<unknown>;
  readonly queuedAtMs: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Outcome {
  readonly write: QueuedWrite;
  readonly value?: unknown;
  readonly refusal?: ProviderError;
}

export type Step = "begin" | "work" | "commit";

export class FailedTransaction extends Error {
  readonly step: Step;

  constructor(step: Step, cause: unknown) {
    super("transaction failed", { cause });
    this.step = step;
  }
}

export interface TransactionParts {
  readonly db: Database;
  readonly random: Random;
  readonly holder: LockHolder;
}

export class OpenTransaction implements Transaction {
  readonly db: Database;
  readonly nowMs: number;
  readonly random: Random;
  readonly effects: Effects;
  readonly dataVersion: number | undefined;
  readonly #lockHolder: LockHolder;
  readonly #outcomes: Outcome[] = [];

  constructor({ db, random, holder }: TransactionParts, nowMs: number) {
    this.db = db;
    this.nowMs = nowMs;
    this.random = random;
    this.#lockHolder = holder;
    this.effects = new Effects(nowMs);
    try {
      db.run("BEGIN IMMEDIATE");
    } catch (error) {
      throw new FailedTransaction("begin", error);
    }
    try {
      this.dataVersion = db.dataVersion;
    } catch (error) {
      throw this.failed("begin", error);
    }
  }

  get holder(): string | null {
    return this.#lockHolder.nameIn(this);
  }

  lockSecret(): string {
    const uuid = this.random.uuid();
    const { holder } = this;
    return holder === null ? uuid : secretOf(holder, uuid);
  }

  run(write: QueuedWrite): void {
    try {
      this.effects.before(write.name, this.db);
      this.#outcomes.push(this.#outcomeOf(write));
    } catch (error) {
      throw this.failed("work", error);
    }
  }

  /** A rejected operation is an ordinary outcome, because it has written nothing. */
  #outcomeOf(write: QueuedWrite): Outcome {
    const { changes } = this.db;
    try {
      return { write, value: write.operation(this) };
    } catch (error) {
      if (!ProviderError.is(error)) throw error;
      invariant(this.db.changes === changes, "writer.W3");
      return { write, refusal: error };
    }
  }

  commit(): void {
    try {
      this.effects.store(this.db);
      this.db.run("COMMIT");
    } catch (error) {
      throw this.failed("commit", error);
    }
  }

  /** Settles the promises of the callers, after the data is on the disk (log-sync.LS1). */
  settle(): void {
    for (const { write, value, refusal } of this.#outcomes) {
      if (refusal === undefined) write.resolve(value);
      else write.reject(refusal);
    }
  }

  /** Rolls back. After some errors SQLite has already done so, and ROLLBACK fails. */
  failed(step: Step, error: unknown): FailedTransaction {
    if (error instanceof FailedTransaction) return error;
    try {
      this.db.run("ROLLBACK");
    } catch {}
    return new FailedTransaction(step, error);
  }
}
