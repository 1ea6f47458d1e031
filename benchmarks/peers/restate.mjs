/** A step is a side effect in the handler (`ctx.run`), as in the other systems that run steps in place. */
import http2 from "node:http2";

const begun = performance.now();
const restate = await import("@restatedev/restate-sdk");
const clients = await import("@restatedev/restate-sdk-clients");
const importMs = performance.now() - begun;
const { drive, hello } = await import("./drive.mjs");

const greet = (ctx, name) => ctx.run("greet", () => hello(name));
const orchestrations = restate.service({
  name: "orchestrations",
  handlers: {
    hello: async (ctx, name) => greet(ctx, name),
    sequence: async (ctx, name) => {
      for (let n = 0; n < 10; n++) await greet(ctx, `${name}${n}`);
    },
    fanOut: async (ctx, name) => {
      await restate.RestatePromise.all(Array.from({ length: 50 }, (_, n) => greet(ctx, `${name}${n}`)));
    },
    long: async (ctx, name) => {
      for (let n = 0; n < 1000; n++) await greet(ctx, name);
    },
  },
});
const endpoint = http2.createServer(
  restate.createEndpointHandler({ services: [orchestrations], logger: () => {} }),
);
await new Promise((resolve) => endpoint.listen(19_080, "127.0.0.1", resolve));
const answer = await fetch("http://127.0.0.1:19070/deployments", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ uri: "http://127.0.0.1:19080", force: true }),
});
if (!answer.ok) throw new Error(await answer.text());
const client = clients.connect({ url: "http://127.0.0.1:18080" }).serviceClient(orchestrations);
const runOne = (name, idempotencyKey) => client[name]("x", clients.rpc.opts({ idempotencyKey }));
await drive({ system: "Restate 1.7.12, SDK 1.17.2", runOne, importMs });
process.exit(0);
