import assert from "node:assert/strict";
import { test } from "node:test";
import { approval } from "@duroxide-ts/ai";
import { TestEnvironment } from "@duroxide-ts/core/testing";
import { createAgent, updates } from "../src/agent.ts";

process.env["TOKEN_MS"] = "0";
const { model } = await import("../src/model.ts");
const support = createAgent(model);

test("a tool and a call of the model run once, whatever crashes", async () => {
  await using env = await TestEnvironment.create({ orchestrations: [support] });
  const run = await env.start(support, { input: "Where is order 7?" });
  await env.restart();
  assert.match(await run.result(), /coffee grinder/);
  assert.equal(env.calls("findOrder").length, 1);
});

test("a refund waits for its approval, and is refused after eight hours", async () => {
  await using env = await TestEnvironment.create({ orchestrations: [support] });
  const run = await env.start(support, { input: "Order 7 broke", instanceId: "chat-1" });
  await env.advance({ hours: 8 });
  await run.result();
  assert.equal(env.calls("refund").length, 0);
});

test("a refund that is approved is paid", async () => {
  await using env = await TestEnvironment.create({ orchestrations: [support] });
  const run = await env.start(support, { input: "Order 7 broke", instanceId: "chat-1" });
  for await (const { value } of env.client.handle(support, "chat-1").stream(updates)) {
    if (value?.type !== "approval") continue;
    await run.enqueue(approval(value.id), { approved: true });
    break;
  }
  await run.result();
  assert.equal(env.calls("refund").length, 1);
});
