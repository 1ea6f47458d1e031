/** At most five calls at a time and ten a second to the partner, over all processes: one instance makes them all. */
import { type Client, event, type OrchestrationContext, orchestration, queue } from "@duroxide-ts/core";
import { services } from "./services.ts";

const LIMITER = "partner-limiter";
const LANES = 5;
const MS_BETWEEN_CALLS = 100;
const CALLS_OF_AN_EXECUTION = 200;

interface Request {
  readonly parcel: string;
  readonly replyTo: string;
  readonly answer: string;
}

type Answer = { readonly label: string } | { readonly failure: string };

const requests = queue<Request>("requests");
const answered = (name: string) => event<Answer>(name, { keep: true });

/** Asks the limiter for the label of a parcel, without a worker that waits for the answer. */
export async function labelOf(ctx: OrchestrationContext, parcel: string): Promise<string> {
  const answer = `label ${parcel} ${await ctx.newGuid()}`;
  ctx.enqueue(LIMITER, requests, { parcel, replyTo: ctx.instanceId, answer });
  const reply = await ctx.waitForEvent(answered(answer));
  if ("failure" in reply) throw new Error(reply.failure);
  return reply.label;
}

export const limiter = orchestration(LIMITER, async (ctx, lastMs: number): Promise<never> => {
  let dueMs = lastMs;
  let left = CALLS_OF_AN_EXECUTION;
  const lane = async (branch: OrchestrationContext): Promise<void> => {
    while (left-- > 0) {
      const { parcel, replyTo, answer } = await branch.dequeue(requests);
      dueMs = Math.max(dueMs + MS_BETWEEN_CALLS, branch.now());
      await branch.scheduleTimer({ until: dueMs });
      const reply: Answer = await branch
        .run("label", () => services.label(parcel), { label: parcel })
        .then(
          (label) => ({ label }),
          (error: Error) => ({ failure: error.message }),
        );
      branch.raise(replyTo, answered(answer), reply);
    }
  };
  await ctx.all(Array.from({ length: LANES }, () => lane));
  return ctx.continueAsNew(limiter, dueMs);
});

export const startLimiter = (client: Client) => client.start(limiter, { instanceId: LIMITER, input: 0 });
