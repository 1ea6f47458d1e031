import { activity, Client, orchestration, Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";

const greet = activity("greet", async (_ctx, name: string) => `Hello, ${name}!`);

const greetAll = orchestration("greetAll", async (ctx, names: string[]) => {
  await ctx.scheduleTimer({ seconds: 1 });
  return ctx.all(names.map((name) => ctx.scheduleActivity(greet, name)));
});

const provider = await SqliteProvider.open(":memory:");
const runtime = await Runtime.start({ provider, activities: [greet], orchestrations: [greetAll] });
const instance = await new Client(provider).start(greetAll, { input: ["Ada", "Grace", "Barbara"] });
console.log(await instance.result());
await runtime.shutdown();
await provider.close();
