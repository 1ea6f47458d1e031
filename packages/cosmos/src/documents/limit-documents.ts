/** Rules of limits, and what processes hold of them (docs/decisions/limits.md). Rust reads none of these documents. */
import type { LimitRule, StoredLimit } from "@duroxide-ts/core/stores";
import type { Body, Stored } from "./body.ts";
import {
  limitPermitDocumentId,
  limitRuleDocumentId,
  limitsPartition,
  limitUseDocumentId,
  RANKED_PARTITION,
} from "./ids.ts";

/** A rule that was deleted leaves its document, so that the code that has stored it does not bring it back. */
export interface RuleDocument {
  readonly key: string;
  readonly limit: StoredLimit | undefined;
  /** The rule that code has stored last, as text. */
  readonly applied: string | undefined;
  readonly etag: string;
}

export function toRuleDocument(stored: Stored): RuleDocument {
  const { rule, perMs, by, reason, applied, changedAt, _etag } = stored;
  const key = String(stored["key"]);
  const record = { ...(typeof by === "string" && { by }), ...(typeof reason === "string" && { reason }) };
  return {
    key,
    limit:
      typeof rule === "object" && rule !== null
        ? { key, rule: rule as LimitRule, perMs: Number(perMs), ...record, changedAtMs: Number(changedAt) }
        : undefined,
    applied: typeof applied === "string" ? applied : undefined,
    etag: _etag,
  };
}

export function ruleBody({ key, limit, applied }: Omit<RuleDocument, "etag">): Body {
  const { rule, perMs, by, reason, changedAtMs } = limit ?? {};
  return {
    id: limitRuleDocumentId(key),
    instanceId: limitsPartition(key),
    type: "limit_rule",
    key,
    ...(rule !== undefined && { rule, perMs, changedAt: changedAtMs }),
    ...(by !== undefined && { by }),
    ...(reason !== undefined && { reason }),
    ...(applied !== undefined && { applied }),
  };
}

/** The part of a level that one process has. */
export interface Share {
  readonly permits: number;
  /** How many it could use. */
  readonly wants: number;
  /** Locks of its activities end before; ms since the epoch. */
  readonly untilMs: number;
}

/** The parts of a level that all have. */
export interface Use {
  readonly shares: Readonly<Record<string, Share>>;
  /** The time until which the rate is used up, ms since the epoch, and the rate that it was reckoned by. */
  readonly spentUntilMs?: number;
  readonly rate?: string;
  /** Instances that have a permit. */
  readonly instances?: number;
}

const UNUSED: Use = { shares: {} };

export function toUse(stored: Stored | undefined): Use {
  if (stored === undefined) return UNUSED;
  const { shares, spentUntil, rate, instances } = stored;
  return {
    shares: typeof shares === "object" && shares !== null ? (shares as Use["shares"]) : {},
    ...(typeof spentUntil === "number" && { spentUntilMs: spentUntil }),
    ...(typeof rate === "string" && { rate }),
    ...(typeof instances === "number" && { instances }),
  };
}

const DAY_SECONDS = 86_400;

export function useBody(
  level: string,
  { shares, spentUntilMs, rate, instances = 0 }: Use,
  nowMs: number,
): Body {
  const spentForMs = Math.max(0, (spentUntilMs ?? nowMs) - nowMs);
  return {
    id: limitUseDocumentId(level),
    instanceId: limitsPartition(level),
    type: "limit_use",
    level,
    shares,
    ...(spentUntilMs !== undefined && { spentUntil: spentUntilMs, rate }),
    // Housekeeping: shares last for minutes, and a rate for its period. Instances last for any time.
    ...(instances > 0 ? { instances } : { ttl: DAY_SECONDS + Math.ceil(spentForMs / 1_000) }),
  };
}

/** The permit of an instance. */
export function permitBody(key: string, instance: string, nowMs: number): Body {
  return {
    id: limitPermitDocumentId(instance),
    instanceId: limitsPartition(key),
    type: "limit_permit",
    key,
    instance,
    grantedAt: nowMs,
  };
}

export const RANKED_MARK = "ranked_mark";

/** Says that there may be ranked rows. It is due for ever, so the query of idle processes meets it. */
export function markBody(keptUntilMs: number): Body {
  return {
    id: RANKED_MARK,
    instanceId: RANKED_PARTITION,
    type: RANKED_MARK,
    visibleAt: 1,
    keptUntil: keptUntilMs,
  };
}
