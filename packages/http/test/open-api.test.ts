/** The OpenAPI document: a path for each orchestration, with the input where its schema has a JSON form. */
import { orchestration } from "@duroxide-ts/core";
import { expect, it } from "vitest";
import * as z from "zod";
import { find } from "../src/routes/routes.ts";
import { openShop } from "./support/shop.ts";

interface Node {
  name: string;
  children: Node[];
}
const NODE: z.ZodType<Node> = z.object({
  name: z.string(),
  get children() {
    return z.array(NODE);
  },
});

const plain = orchestration("plain", async () => {});
const order = orchestration("order", { input: z.object({ sku: z.string() }) }, async () => {});
const tree = orchestration("tree/of ä", { input: NODE }, async () => {});
const dated = orchestration("dated", { input: z.date() }, async () => {});
const first = orchestration("versioned", { version: "1.0.0", input: z.string() }, async () => {});
const second = orchestration("versioned", { version: "2.0.0", input: z.number() }, async () => {});
const clash = orchestration("tree_of_ä", { input: z.string() }, async () => {});

const ORCHESTRATIONS = [plain, order, tree, dated, first, second, clash];

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
async function document(admin = true): Promise<any> {
  await using shop = await openShop({
    works: false,
    orchestrations: ORCHESTRATIONS,
    basePath: "/api",
    admin,
  });
  return (await shop.send("GET", "/api/openapi.json")).body;
}

/** The value to which a reference points. */
function resolve(root: unknown, ref: string): unknown {
  return ref
    .slice(2)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], root);
}

it("has a path for each orchestration, and those of instances", async () => {
  const { openapi, servers, paths } = await document();
  expect([openapi, servers]).toEqual(["3.1.0", [{ url: "http://shop.example/api" }]]);
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining([
      "/plain",
      "/order",
      "/tree%2Fof%20%C3%A4",
      "/versioned",
      "/instances/{id}",
      "/instances/{id}/result",
      "/instances/{id}/cancel",
      "/instances/{id}/events/{name}",
      "/instances/{id}/queues/{name}",
      "/instances/{id}/ask/{name}",
      "/instances/{id}/streams/{name}",
      "/instances/{id}/progress",
    ]),
  );
});

it("has the input where its validator gives a JSON Schema; versions are alternatives", async () => {
  const { paths, components } = await document();
  const inputOf = (path: string) => {
    const { schema } = paths[path].post.requestBody.content["application/json"];
    return schema.$ref === undefined ? schema : resolve({ components }, schema.$ref);
  };
  expect(inputOf("/order")).toMatchObject({ type: "object", properties: { sku: { type: "string" } } });
  expect(inputOf("/versioned")).toMatchObject({ anyOf: [{ type: "string" }, { type: "number" }] });
  expect([inputOf("/plain"), inputOf("/dated")]).toEqual([{}, {}]);
});

it("has references that lead somewhere, also those of recursive inputs, and operations of different names", async () => {
  const found = await document();
  const refs: string[] = [];
  const ids: string[] = [];
  JSON.stringify(found, (key, value: unknown) => {
    if (key === "$ref") refs.push(String(value));
    if (key === "operationId") ids.push(String(value));
    expect(key).not.toBe("$schema");
    return value;
  });
  expect(refs.length).toBeGreaterThan(20);
  expect(refs.filter((ref) => resolve(found, ref) === undefined)).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  for (const name of Object.keys(found.components.schemas)) expect(name).toMatch(/^[\w.-]+$/);
});

it("has no path that is not answered, and no method that is refused", async () => {
  const { paths } = await document();
  const isKnown = (name: string) => ORCHESTRATIONS.some((one) => one.name === name);
  for (const [path, methods] of Object.entries(paths as Record<string, object>)) {
    const route = find(path.slice(1).replace("{id}", "a").replace("{name}", "x"), isKnown);
    expect(Object.keys(methods)).toEqual(Object.keys(route ?? {}).filter((key) => /get|post/.test(key)));
  }
});

it("has every parameter that a route reads", async () => {
  const { paths } = await document();
  const named = (path: string, method: string): string[] =>
    (paths[path][method].parameters as readonly Readonly<Record<"in" | "name", string>>[])
      .filter((one) => one.in !== "path")
      .map((one) => one.name);
  const message = ["Idempotency-Key", "messageId", "ifMissing"];
  expect({
    status: named("/instances/{id}", "get"),
    events: named("/instances/{id}/events/{name}", "post"),
    queues: named("/instances/{id}/queues/{name}", "post"),
    ask: named("/instances/{id}/ask/{name}", "post"),
    stream: named("/instances/{id}/streams/{name}", "get"),
    entry: named("/instances/{id}/entries/{name}", "get"),
    history: named("/instances/{id}/history", "get"),
  }).toEqual({
    status: ["wait", "customStatusAfter"],
    events: [...message, "keep"],
    queues: message,
    ask: ["wait", "Idempotency-Key", "messageId"],
    stream: ["from", "all", "follow", "Last-Event-ID", "lastEventId"],
    entry: ["wait"],
    history: ["execution"],
  });
});

it("has the calls about the store as a whole where they are served", async () => {
  const all = Object.keys((await document()).paths);
  const few = Object.keys((await document(false)).paths);
  expect(all.filter((path) => !few.includes(path))).toEqual(
    expect.arrayContaining(["/instances/{id}/history", "/admin/query", "/limits/set", "/schedules/apply"]),
  );
});
