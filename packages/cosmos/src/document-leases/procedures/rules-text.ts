/**
 * The code of stored-lease.ts for the procedures: `npm test -- packages/cosmos/test/document-leases -u` writes this
 * file.
 */
export const RULES_TEXT = `function readLease(value) {
  if (value === undefined || value === null) return { kind: "none" };
  if (typeof value !== "object" || !("token" in value) || !isWhole(value.token)) return { kind: "malformed" };
  if (!("holder" in value)) return { kind: "left", lease: value };
  return isHeldLease(value) ? { kind: "held", lease: value } : { kind: "malformed" };
}
function isHeldLease(value) {
  const { holder, acquiredAtMs, durationMs, expiresAtMs } = value ;
  return typeof holder === "string" && [acquiredAtMs, durationMs, expiresAtMs].every(isWhole);
}
function isWhole(value) {
  return Number.isSafeInteger(value);
}
function isFree(stored, nowMs) {
  if (stored.kind === "held") return stored.lease.expiresAtMs <= nowMs;
  return stored.kind === "none" || stored.kind === "left";
}
function nextLease(
  stored,
  nowMs,
  { holder, durationMs, attempt }) {
  const before = "lease" in stored ? stored.lease.token : 0;
  const isRenewal = stored.kind === "held" && stored.lease.holder === holder && !isFree(stored, nowMs);
  const token = isRenewal ? before : Math.max(before + 1, nowMs);
  return { holder, token, acquiredAtMs: nowMs, durationMs, expiresAtMs: nowMs + durationMs, attempt };
}
function decide(
  action,
  stored,
  nowMs,
  claim) {
  if (stored.kind === "malformed") return { outcome: "malformed" };
  const isMine = stored.kind === "held" && stored.lease.holder === claim.holder;
  if (!isMine && !isFree(stored, nowMs)) return { outcome: "held" };
  if (action === "acquire") return { lease: nextLease(stored, nowMs, claim) };
  if (isMine) return { lease: { token: stored.lease.token, attempt: claim.attempt } };
  const isDone = stored.kind === "left" && stored.lease.attempt === claim.attempt;
  return { outcome: isDone ? "done" : "not-held" };
}`;
