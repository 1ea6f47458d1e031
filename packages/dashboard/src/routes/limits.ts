/** `GET /api/limits`, and the actions on the rule of one key. */
import { type LimitRule, type LimitSummary, ProviderError } from "@duroxide-ts/core";
import { durationMs, limitText } from "@duroxide-ts/core/operate";
import { type Body, textIn, wholeNumberIn } from "../http/read-body.ts";
import type { LimitRow, LimitsView } from "../page/shapes/limits.ts";
import { byHand, logAction } from "../source/verbs.ts";
import { type ActRoute, actOf, type ReadRoute } from "./route.ts";

export const limits: ReadRoute = {
  path: "limits",
  async read({ source: { client } }): Promise<LimitsView> {
    try {
      const rules = await client.limits.list();
      const rows = await Promise.all(
        rules.map(async (rule) =>
          rowOf(rule, rule.waiting === 0 ? 0 : (await client.limits.get(rule.key)).oldestWaitingMs),
        ),
      );
      // By the second, because each key is read at another instant; then by key.
      const age = (row: LimitRow): number => Math.floor(row.oldestWaitingMs / 1_000);
      return { rows: rows.sort((a, b) => age(b) - age(a)), isSupported: true };
    } catch (error) {
      if (ProviderError.is(error, "unsupported")) return { rows: [], isSupported: false };
      throw error;
    }
  },
};

export const setLimit: ActRoute = {
  path: "set-limit",
  async act(call): Promise<object> {
    const { body, source } = call;
    const key = textIn(body, "key");
    const act = actOf(call);
    await source.acting.limits.set(key, ruleIn(body), byHand(act));
    logAction(source, "limits set", key, act);
    return {};
  },
};

export const deleteLimit: ActRoute = {
  path: "delete-limit",
  async act(call): Promise<object> {
    const { body, source } = call;
    const key = textIn(body, "key");
    const act = actOf(call);
    await source.acting.limits.delete(key, byHand(act));
    logAction(source, "limits delete", key, act);
    return {};
  },
};

/** The rule of a body, with what it has; the client refuses what is none. */
function ruleIn(body: Body): LimitRule {
  const has = (field: string): boolean => body[field] !== undefined;
  const burst = has("burst") ? { burst: wholeNumberIn(body, "burst") } : {};
  return {
    ...(has("concurrency") && { concurrency: wholeNumberIn(body, "concurrency") }),
    ...(has("max") && {
      rate: { max: wholeNumberIn(body, "max"), per: wholeNumberIn(body, "perMs"), ...burst },
    }),
  };
}

function rowOf(summary: LimitSummary, oldestWaitingMs: number): LimitRow {
  const { key, limits: rule, running, waiting, by, reason, changedAtMs } = summary;
  const { concurrency, rate } = rule;
  return {
    key,
    rule: limitText(key, rule),
    ...(concurrency !== undefined && { concurrency }),
    ...(rate !== undefined && {
      rate: {
        max: rate.max,
        perMs: durationMs(rate.per),
        ...(rate.burst !== undefined && { burst: rate.burst }),
      },
    }),
    running,
    waiting,
    oldestWaitingMs,
    changedAtMs,
    ...(by !== undefined && { by }),
    ...(reason !== undefined && { reason }),
  };
}
