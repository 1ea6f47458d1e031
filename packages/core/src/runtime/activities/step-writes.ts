/** Writes of one delivery of an activity beside its outcome: values of streams, and its progress. */
import { StepProgress } from "./step-progress.ts";
import { StepStreams } from "./step-streams.ts";
import { type WritingCall, WritingDelivery } from "./writing-delivery.ts";

export class StepWrites {
  readonly streams: StepStreams;
  readonly progress: StepProgress;

  constructor(call: WritingCall) {
    const delivery = new WritingDelivery(call);
    this.streams = new StepStreams(call, delivery);
    this.progress = new StepProgress(call, delivery);
  }

  /** Resolves when all is stored; rejects if a value never will be. */
  async end(): Promise<void> {
    await Promise.all([this.streams.end(), this.progress.end()]);
  }
}
