/** Asks the agent, or goes on with a question that was asked: `npm start -- "order 7 broke" chat-2`. */
import { approval } from "@duroxide-ts/ai";
import { Client, Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { createAgent, updates } from "./agent.ts";
import { model } from "./model.ts";

const { AGENT_DB = "agent.db" } = process.env;
const [question = "Where is order 7?", instanceId = question.replaceAll(/\W+/g, "-")] = process.argv.slice(2);

const support = createAgent(model);
await using provider = await SqliteProvider.open(AGENT_DB);
await using _runtime = await Runtime.start({ provider, orchestrations: [support] });
const run = await new Client(provider).start(support, { instanceId, input: question });

for await (const { value, reset } of run.stream(updates)) {
  if (reset !== undefined) console.log("\n[the model is asked again, because the answer was not stored]");
  if (value?.type === "text") process.stdout.write(value.text);
  // A service shows the request to a colleague, who may take hours; here you approve what you ask for.
  if (value?.type === "approval") await run.enqueue(approval(value.id), { approved: true, by: "you" });
}
console.log(`\n\n${await run.result()}`);
