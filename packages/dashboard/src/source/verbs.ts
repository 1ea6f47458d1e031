/** The verbs of operators for one instance. Each action names its reason and its user in the log. */
import { OPERATOR_VERBS, type OperatorVerb } from "@duroxide-ts/core/operate";
import type { Source } from "./source.ts";
import { checkKnown } from "./waiting-starts.ts";

/** The user who acts, and the reason. */
export interface Act {
  readonly user: string;
  readonly reason: string;
  /** Whether a deletion also takes an instance that runs. */
  readonly force?: boolean;
}

/** Actions that need nothing but an instance and a reason. */
export type PlainVerb = Exclude<OperatorVerb, "raise" | "enqueue" | "redeliver" | "prune">;

type Run = (source: Source, instanceId: string, act: Act) => Promise<unknown>;

const PLAIN: Readonly<Record<PlainVerb, Run>> = {
  retry: ({ acting }, id, act) => acting.admin.retry(id, byHand(act)),
  // To before the failure; a rewind to an event is a route of its own (routes/rewind.ts).
  rewind: ({ acting }, id, act) => acting.admin.rewind(id, { beforeFailure: true, ...byHand(act) }),
  restart: ({ acting }, id, act) => acting.admin.restart(id, byHand(act)),
  suspend: ({ acting }, id, { user, reason }) => acting.admin.suspend(id, { reason, by: user }),
  resume: ({ acting }, id, act) => acting.admin.resume(id, byHand(act)),
  terminate: ({ acting }, id, { user, reason }) => acting.admin.terminate(id, { reason, by: user }),
  cancel: async (source, id, act) => {
    // A cancellation waits for an instance that is started later.
    await checkKnown(source, id);
    await source.acting.handle("unknown", id).cancel(told(act));
  },
  delete: ({ acting }, id, act) => acting.admin.delete(id, { force: act.force ?? false, ...byHand(act) }),
};

export const VERBS: readonly OperatorVerb[] = Object.keys(OPERATOR_VERBS) as OperatorVerb[];

export function isPlain(verb: string): verb is PlainVerb {
  return Object.hasOwn(PLAIN, verb);
}

export async function perform(source: Source, verb: PlainVerb, instanceId: string, act: Act): Promise<void> {
  await PLAIN[verb](source, instanceId, act);
  logAction(source, verb, instanceId, act);
}

export function logAction({ logger }: Source, verb: string, instanceId: string, { user, reason }: Act): void {
  logger.info({ event: "dashboard_action", verb, instance_id: instanceId, user, reason }, `${user}: ${verb}`);
}

export function byHand({ user, reason }: Act): { readonly by: string; readonly reason?: string } {
  return { by: user, ...(reason !== "" && { reason }) };
}

/** The reason as it is stored where the store has no place for the user. */
function told({ reason, user }: Act): string {
  return reason === "" ? `by ${user}` : `${reason} (by ${user})`;
}
