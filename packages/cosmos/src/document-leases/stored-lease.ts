/**
 * The lease as stored in a document, and the rules for taking and releasing it. A released lease leaves its token in the
 * document, so that the next token is larger.
 *
 * The procedures run these rules too: `procedures/rules-text.ts` is this file without its types. So it imports nothing,
 * and its code is ECMAScript 2015, which is what the service runs (docs/decisions/cosmos-documents.md).
 */

export interface HeldLease {
  readonly holder: string;
  readonly token: number;
  /** Time by the server's clock, like all times here. */
  readonly acquiredAtMs: number;
  readonly durationMs: number;
  /** The sum of the two, so that queries can use an index. */
  readonly expiresAtMs: number;
  /** Identifies the request that wrote the lease, so that its sender finds it after a lost response. */
  readonly attempt?: string;
}

export interface LeftLease {
  readonly token: number;
  readonly attempt?: string;
}

export type StoredLease =
  | { readonly kind: "none" }
  | { readonly kind: "left"; readonly lease: LeftLease }
  | { readonly kind: "held"; readonly lease: HeldLease }
  | { readonly kind: "malformed" };

export function readLease(value: unknown): StoredLease {
  if (value === undefined || value === null) return { kind: "none" };
  if (typeof value !== "object" || !("token" in value) || !isWhole(value.token)) return { kind: "malformed" };
  if (!("holder" in value)) return { kind: "left", lease: value as LeftLease };
  return isHeldLease(value) ? { kind: "held", lease: value } : { kind: "malformed" };
}

function isHeldLease(value: object): value is HeldLease {
  const { holder, acquiredAtMs, durationMs, expiresAtMs } = value as Readonly<Record<string, unknown>>;
  return typeof holder === "string" && [acquiredAtMs, durationMs, expiresAtMs].every(isWhole);
}

function isWhole(value: unknown): boolean {
  return Number.isSafeInteger(value);
}

/** Whether any holder may take the document. */
export function isFree(stored: StoredLease, nowMs: number): boolean {
  if (stored.kind === "held") return stored.lease.expiresAtMs <= nowMs;
  return stored.kind === "none" || stored.kind === "left";
}

/** The holder, the duration and the request of an acquisition. */
export interface Claim {
  readonly holder: string;
  readonly durationMs: number;
  readonly attempt: string;
}

/**
 * The next lease after the stored one. A holder that renews in time keeps its token. Any other token is larger than the
 * one before, and at least the time, so that it also grows after another program overwrote the document without it.
 */
export function nextLease(
  stored: StoredLease,
  nowMs: number,
  { holder, durationMs, attempt }: Claim,
): HeldLease {
  const before = "lease" in stored ? stored.lease.token : 0;
  const isRenewal = stored.kind === "held" && stored.lease.holder === holder && !isFree(stored, nowMs);
  const token = isRenewal ? before : Math.max(before + 1, nowMs);
  return { holder, token, acquiredAtMs: nowMs, durationMs, expiresAtMs: nowMs + durationMs, attempt };
}

/** The lease to write, or what the caller is answered instead. */
export type Decision =
  | { readonly lease: LeftLease }
  | { readonly outcome: "malformed" | "held" | "not-held" | "done" };

/** Decides what an acquisition or a break does to the stored lease. */
export function decide(
  action: "acquire" | "break",
  stored: StoredLease,
  nowMs: number,
  claim: Claim,
): Decision {
  if (stored.kind === "malformed") return { outcome: "malformed" };
  const isMine = stored.kind === "held" && stored.lease.holder === claim.holder;
  if (!isMine && !isFree(stored, nowMs)) return { outcome: "held" };
  if (action === "acquire") return { lease: nextLease(stored, nowMs, claim) };
  if (isMine) return { lease: { token: stored.lease.token, attempt: claim.attempt } };
  // A first attempt, whose response was lost, may have released the lease.
  const isDone = stored.kind === "left" && stored.lease.attempt === claim.attempt;
  return { outcome: isDone ? "done" : "not-held" };
}
