/** docs/guide/20-questions.md */
import { equal } from "node:assert/strict";
import { activity, orchestration, QuestionError, question, queue } from "@duroxide-ts/core";
import { onStage } from "./stage.ts";

const prices = queue<number>("prices");
const rate = activity("rate", async (_ctx, customer: string) => (customer === "Ada" ? 500 : 100));

// #region answer
const total = question<{ currency: string }, number>("total");
const raiseLimit = question<number, string>("raise-limit");

const basket = orchestration("basket", async (ctx, customer: string) => {
  let sum = 0;
  let limit = 100;
  ctx.answer(total, ({ currency }) => (currency === "EUR" ? sum : sum * 2));
  ctx.answer(raiseLimit, async (wanted, branch) => {
    const rating = await branch.scheduleActivity(rate, customer);
    if (wanted > rating) throw new Error(`at most ${rating}`);
    limit = wanted;
    return "raised";
  });
  while (sum < limit) sum += await ctx.dequeue(prices);
  return sum;
});
// #endregion

await onStage({ orchestrations: [basket], activities: [rate] }, async (stage) => {
  const { client } = stage;
  const handle = await client.start(basket, { instanceId: "basket-7", input: "Ada" });
  await handle.enqueue(prices, 40);
  // #region ask
  const sum = await handle.ask(total, { currency: "EUR" }, { timeout: { seconds: 5 } });
  // #endregion
  equal(sum, 40);

  const raised = handle.ask(raiseLimit, 300, { messageId: "form-17" });
  const refused = handle.ask(raiseLimit, 900).catch((error: unknown) => error);
  await stage.settle();
  equal(await raised, "raised");
  equal(await handle.ask(raiseLimit, 300, { messageId: "form-17" }), "raised");
  const error = await refused;
  equal(QuestionError.is(error, "question-refused") && error.message, "at most 500");

  await handle.enqueue(prices, 100);
  await handle.enqueue(prices, 200);
  equal(await stage.finish(handle), 340);
  const late = await handle.ask(total, { currency: "EUR" }).catch((ended: unknown) => ended);
  equal(QuestionError.is(late, "ended"), true);
});
