/** A provider that notes which outcomes of activities it has stored, and which activities it was given back. */
import type { Provider } from "@duroxide-ts/core";
import type {
  AbandonOptions,
  ActivityOutcome,
  FetchedWork,
  FetchWorkOptions,
  FusedAck,
  FusedOutcome,
} from "@duroxide-ts/core/stores";
import type { SideLog } from "./side-log.ts";

export function noted(provider: Provider, log: SideLog): Provider {
  const activities = new Map<string, string>();
  const own: Partial<Provider> = {
    async fetchWorkItem(options: FetchWorkOptions): Promise<FetchedWork | undefined> {
      const fetched = await provider.fetchWorkItem(options);
      if (fetched !== undefined) {
        const { instance, run_id: run, execution_id: execution, id } = fetched.item;
        activities.set(fetched.lockToken, `${instance}:${run}:${execution}:${id}`);
      }
      return fetched;
    },
    async ackWorkItem(lockToken: string, outcome?: ActivityOutcome): Promise<void> {
      await provider.ackWorkItem(lockToken, outcome);
      log.event("acked", activities.get(lockToken) ?? lockToken);
    },
    async ackFusedTurn(ack: FusedAck): Promise<FusedOutcome> {
      const outcome = await provider.ackFusedTurn(ack);
      if (outcome.kind === "committed") {
        for (const token of ack.activityTokens) log.event("acked", activities.get(token) ?? token);
      }
      return outcome;
    },
    async abandonWorkItem(lockToken: string, options?: AbandonOptions): Promise<void> {
      log.event("abandoned", activities.get(lockToken) ?? lockToken);
      await provider.abandonWorkItem(lockToken, options);
    },
  };
  return new Proxy(provider, {
    get(target, name) {
      const value: unknown = Reflect.get(name in own ? own : target, name);
      return typeof value === "function" && !(name in own) ? value.bind(target) : value;
    },
  });
}
