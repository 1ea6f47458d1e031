/**
 * Reads and writes under a lease, of an instance for a turn or of an activity.
 *
 * - lease.L1: The ETag of the document is the lock. Every write of the document, by any process, changes it, so a batch
 *   that begins with a write on condition of the ETag fails whole for a holder that was replaced
 *   (docs/decisions/cosmos-turns.md).
 * - lease.L2: A changed ETag does not show that the lease is lost, because a renewal changes it too. The document is
 *   read again, and the lease holds while the document contains its secret. Only `writeUnder` decides this.
 * - lease.L3: A refusal after an attempt without an answer may be caused by that attempt. The change recognises its own
 *   write (`storedBefore`); without it the refusal counts as any other.
 * - lease.L4: At its end a lease is over, even if no other process has locked the document (docs/reference/
 *   provider-contract.md §4). A release is the exception: it may come later, while the document contains the secret.
 */
import { ProviderError } from "@duroxide-ts/core";
import { invariant } from "@duroxide-ts/core/stores";
import type { Held, HeldLease } from "../memory/held.ts";
import type { Memory } from "../memory/memory.ts";
import type { Work } from "../memory/parts.ts";
import type { BatchOperation, BatchOutcome } from "../service/batch.ts";

export type Outcome<T> =
  | { readonly kind: "done"; readonly value: T }
  /** The document was written since, or deleted. */
  | { readonly kind: "lost" }
  /** Another operation of the batch was refused. Nothing was stored. */
  | { readonly kind: "refused"; readonly operation: BatchOperation; readonly status: number };

/** An outcome after which nothing is tried again. */
export type Settled<T> = Exclude<Outcome<T>, { readonly kind: "lost" }>;

export const LOST: Outcome<never> = { kind: "lost" };

export function done<T>(value: T): Outcome<T> {
  return { kind: "done", value };
}

/** Finds leases of one kind. */
export interface LeaseKind<L extends HeldLease, Token extends { readonly secret: string }> {
  readonly held: (memory: Memory) => Held<L>;
  readonly tokenOf: (lease: L) => Token;
  /** Reads the stored lease; undefined if the document has another secret than the token. */
  readonly read: (work: Work, token: Token) => Promise<L | undefined>;
  /** Removes from memory what belongs to a lost lease. */
  readonly forget: (work: Work, lease: L) => void;
}

/** Also an expired lease. Throws `lock-lost` if another fetch has locked the document. */
export async function findLease<L extends HeldLease, Token extends { readonly secret: string }>(
  kind: LeaseKind<L, Token>,
  work: Work,
  token: Token,
): Promise<L> {
  const lease = kind.held(work.memory).get(token.secret) ?? (await readAgain(kind, work, token));
  if (lease === undefined) throw ProviderError.lockLost(work.operation);
  return lease;
}

/** Throws `lock-lost` if the lease is over, or another fetch has locked the document. */
export async function findValidLease<L extends HeldLease, Token extends { readonly secret: string }>(
  kind: LeaseKind<L, Token>,
  work: Work,
  token: Token,
): Promise<L> {
  const isValid = (lease: L): boolean => lease.lockedUntilMs > work.clock.now();
  const remembered = kind.held(work.memory).get(token.secret);
  if (remembered !== undefined && isValid(remembered)) return remembered;
  // Another process may have renewed it.
  const stored = await kind.read(work, token);
  if (stored !== undefined && isValid(stored)) return stored;
  throw ProviderError.lockLost(work.operation);
}

/** Retries until the write is done or refused, or the lease is lost (lease.L2), which throws `lock-lost`. */
export async function writeUnder<L extends HeldLease, Token extends { readonly secret: string }, T>(
  kind: LeaseKind<L, Token>,
  work: Work,
  lease: L,
  attempt: (lease: L) => Promise<Outcome<T>>,
): Promise<Settled<T>> {
  for (let held = lease, attempts = 1; ; attempts++) {
    const outcome = await attempt(held);
    if (outcome.kind !== "lost") return outcome;
    const again = await readAgain(kind, work, kind.tokenOf(held));
    if (again === undefined) throw ProviderError.lockLost(work.operation);
    invariant(again.secret === held.secret, "lease.L2");
    held = again;
    await work.again(attempts);
  }
}

async function readAgain<L extends HeldLease, Token extends { readonly secret: string }>(
  kind: LeaseKind<L, Token>,
  work: Work,
  token: Token,
): Promise<L | undefined> {
  const stored = await kind.read(work, token);
  if (stored !== undefined) return stored;
  const held = kind.held(work.memory);
  const remembered = held.get(token.secret);
  held.delete(token.secret);
  if (remembered !== undefined) kind.forget(work, remembered);
  return undefined;
}

type Stored = Extract<BatchOutcome, { ok: true }>;

/** One conditional batch. */
export interface Change<T> {
  readonly partition: string;
  /** The first one writes the document of the lease, on condition of its ETag. */
  readonly operations: readonly BatchOperation[];
  readonly stored: (outcome: Stored, operations: readonly BatchOperation[]) => T;
  /** Operations that may be left out, because the document that they change is deleted. */
  readonly isOptional?: (operation: BatchOperation) => boolean;
  /** The result of an attempt without an answer; undefined if it stored nothing (lease.L3). */
  readonly storedBefore?: (status: number) => Promise<T | undefined> | T | undefined;
}

export async function write<T>(work: Work, change: Change<T>): Promise<Outcome<T>> {
  const [first] = change.operations;
  invariant(first?.kind === "create" || (first !== undefined && "ifMatch" in first), "lease.L1");
  for (let operations = change.operations; ; ) {
    const outcome = await work.batch(change.partition, operations);
    if (outcome.ok) return done(change.stored(outcome, operations));
    const { index, status } = outcome;
    if (index === 0) {
      const before = outcome.repeated ? await change.storedBefore?.(status) : undefined;
      return before === undefined ? LOST : done(before);
    }
    const operation = operations[index];
    if (operation === undefined) return LOST;
    if (change.isOptional?.(operation) !== true) return { kind: "refused", operation, status };
    operations = without(operations, index);
  }
}

export function without(operations: readonly BatchOperation[], index: number): readonly BatchOperation[] {
  return operations.filter((_, position) => position !== index);
}
