/** A store that notes which outcomes were committed with their turns, and which were stored as messages. */
import type { FusedAck, FusedOutcome } from "../../src/contract/provider.ts";
import { MemoryProvider } from "../../src/testing/index.ts";
import type { ActivityOutcome } from "../../src/wire/work-item.ts";

export class WatchedProvider extends MemoryProvider {
  readonly fused: FusedAck[] = [];
  /** Outcomes that were stored as messages. */
  readonly messages: ActivityOutcome[] = [];
  /** Called instead of the store; `undefined` for the store itself. */
  instead: ((ack: FusedAck) => Promise<FusedOutcome> | undefined) | undefined;

  /** How many outcomes each fused turn had. */
  get fusedCounts(): readonly number[] {
    return this.fused.map(({ activityTokens }) => activityTokens.length);
  }

  override async ackFusedTurn(ack: FusedAck): Promise<FusedOutcome> {
    const outcome = await (this.instead?.(ack) ?? super.ackFusedTurn(ack));
    if (outcome.kind === "committed") this.fused.push(ack);
    return outcome;
  }

  override async ackWorkItem(token: string, outcome?: ActivityOutcome): Promise<void> {
    await super.ackWorkItem(token, outcome);
    if (outcome !== undefined) this.messages.push(outcome);
  }
}
