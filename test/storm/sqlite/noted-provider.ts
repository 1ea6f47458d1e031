/** A provider that notes which outcomes of activities it has stored. */
import type { Provider } from "@duroxide-ts/core";
import type {
  ActivityOutcome,
  FetchedWork,
  FetchWorkOptions,
  FusedAck,
  FusedOutcome,
} from "@duroxide-ts/core/stores";
import type { SideLog } from "../side-log.ts";

export function noted(provider: Provider, log: SideLog): Provider {
  const activities = new Map<string, { readonly instance: string; readonly key: string }>();
  const note = (lockToken: string): void => {
    const activity = activities.get(lockToken);
    if (activity !== undefined) log.note({ kind: "stored", ...activity });
  };
  const own: Partial<Provider> = {
    async fetchWorkItem(options: FetchWorkOptions): Promise<FetchedWork | undefined> {
      const fetched = await provider.fetchWorkItem(options);
      if (fetched !== undefined) {
        const { instance, run_id: run, execution_id: execution, id } = fetched.item;
        activities.set(fetched.lockToken, { instance, key: `${instance}:${run}:${execution}:${id}` });
      }
      return fetched;
    },
    async ackWorkItem(lockToken: string, outcome?: ActivityOutcome): Promise<void> {
      await provider.ackWorkItem(lockToken, outcome);
      note(lockToken);
    },
    async ackFusedTurn(ack: FusedAck): Promise<FusedOutcome> {
      const outcome = await provider.ackFusedTurn(ack);
      if (outcome.kind === "committed") for (const token of ack.activityTokens) note(token);
      return outcome;
    },
  };
  return new Proxy(provider, {
    get(target, name) {
      const value: unknown = Reflect.get(name in own ? own : target, name);
      return typeof value === "function" && !(name in own) ? value.bind(target) : value;
    },
  });
}
