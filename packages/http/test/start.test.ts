/** `POST /:orchestration`: what is answered, what is the input, and what is refused before anything is stored. */
import { describe, expect, it } from "vitest";
import { START_TYPE } from "../src/wire/bodies.ts";
import { openShop, withShop } from "./support/shop.ts";

const ORDER = { sku: "chair", count: 2 };

describe("a start", () => {
  it("is answered with 202, the address of the instance, a pause in seconds and links", async () => {
    await using shop = await openShop({ basePath: "/api" });
    const headers = { "idempotency-key": "order-42" };
    const { status, headers: answered, body } = await shop.send("POST", "/api/checkout", ORDER, { headers });
    const address = "http://shop.example/api/instances/order-42";
    expect(status).toBe(202);
    expect(answered.get("location")).toBe(address);
    expect(answered.get("retry-after")).toMatch(/^\d+$/);
    expect(body).toEqual({
      instanceId: "order-42",
      created: true,
      links: {
        status: address,
        result: `${address}/result`,
        events: `${address}/events`,
        cancel: `${address}/cancel`,
      },
    });
    expect(await shop.client.handle("checkout", "order-42").result()).toBe("shipped 2 chair");
  });

  it("has the Idempotency-Key as its id, also in quotes, and a repetition starts nothing", async () => {
    await using shop = await openShop();
    const once = () => shop.send("POST", "/checkout", ORDER, { headers: { "idempotency-key": '"order 1"' } });
    const [first, second] = [await once(), await once()];
    expect([first.status, second.status]).toEqual([202, 202]);
    expect([first.body.created, second.body.created]).toEqual([true, false]);
    expect(second.body.links).toEqual(first.body.links);
    await shop.client.handle("checkout", "order 1").result();
    expect((await shop.client.admin.query({})).instances.map(({ instanceId }) => instanceId)).toEqual([
      "order 1",
    ]);
  });

  withShop("without a key has an id of its own each time", async (shop) => {
    const ids = [await shop.send("POST", "/echo"), await shop.send("POST", "/echo")].map(
      ({ body }) => body.instanceId,
    );
    expect(new Set(ids).size).toBe(2);
  });

  withShop("conflicts (409) with an instance of another orchestration", async (shop) => {
    const headers = { "idempotency-key": "a" };
    await shop.send("POST", "/echo", 1, { headers });
    const { status, body } = await shop.send("POST", "/collect", undefined, { headers });
    expect([status, body.error.code]).toEqual([409, "already-exists"]);
  });

  withShop("takes the other options of client.start in a body of its own type", async (shop) => {
    const body = {
      input: ORDER,
      options: { instanceId: "o", tags: { tenant: "acme" }, after: "2999-01-01" },
    };
    const { status } = await shop.send("POST", "/checkout", body, {
      headers: { "content-type": START_TYPE },
    });
    expect(status).toBe(202);
    expect((await shop.send("GET", "/instances/o")).body).toMatchObject({
      status: "Scheduled",
      startsAtMs: Date.parse("2999-01-01"),
    });
    for (const after of ["2999-02-29", "2999-01-01T10:00", "5", ""]) {
      const wrong = { input: ORDER, options: { instanceId: "p", after } };
      const { status } = await shop.send("POST", "/checkout", wrong, {
        headers: { "content-type": START_TYPE },
      });
      expect([after, status]).toEqual([after, 400]);
    }
    const misspelt = { input: ORDER, options: { instanceID: "o" } };
    const refused = await shop.send("POST", "/checkout", misspelt, {
      headers: { "content-type": START_TYPE },
    });
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      expect.stringContaining("instanceId"),
    ]);
  });
});

describe("the input of a start", () => {
  it.each([
    ["application/json", '{"a":[1]}', { a: [1] }],
    ["application/json; charset=utf-8", "null", "none"],
    ["Application/JSON", '"text"', "text"],
    ["text/plain", '{"a":1}', '{"a":1}'],
    ["application/x-www-form-urlencoded", "a=1", "a=1"],
    ["application/xml; charset=iso-8859-1", Uint8Array.of(0xe4), "ä"],
    ["application/json", "", "none"],
    ["text/plain", "", "none"],
  ])(
    "is JSON of application/json, another body its text, and none no input: %s %s",
    async (type, body, input) => {
      await using shop = await openShop();
      const { body: started } = await shop.send("POST", "/echo", body, { headers: { "content-type": type } });
      const path = `/instances/${started.instanceId}/result?wait=50s`;
      expect((await shop.send("GET", path)).body).toEqual({ input });
    },
  );

  it("that its schema refuses is answered with 400 and the issues, and nothing is stored", async () => {
    await using shop = await openShop();
    const { status, body } = await shop.send("POST", "/checkout", { sku: "chair", count: "two" });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: "invalid-input",
      issues: [{ message: expect.any(String), path: ["count"] }],
    });
    expect((await shop.client.admin.queueDepths()).orchestratorQueue).toBe(0);
    expect((await shop.client.admin.query({})).instances).toEqual([]);
  });

  withShop("that is JSON without its content type gets an advice", async (shop) => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const { status, body } = await shop.send("POST", "/checkout", JSON.stringify(ORDER), { headers });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining("application/json")]);
  });

  it.each([
    ["application/json", "{"],
    ["application/json", "[".repeat(1_000_000)],
    ["application/json", `${"[".repeat(200_000)}${"]".repeat(200_000)}`],
    [START_TYPE, "[]"],
    [START_TYPE, '{"options":1}'],
    [START_TYPE, '{"options":{"instanceId":5}}'],
  ])("that is no JSON of its type is refused with 400: %s %.20s", async (type, body) => {
    await using shop = await openShop();
    const { status } = await shop.send("POST", "/echo", body, { headers: { "content-type": type } });
    expect(status).toBe(400);
  });

  withShop("that is no text is refused with 415, and not stored damaged", async (shop) => {
    for (const type of ["application/octet-stream", "application/json", "text/plain; charset=klingon"]) {
      const body = Uint8Array.of(0xff, 0xfe, 0x00);
      const { status } = await shop.send("POST", "/echo", body, { headers: { "content-type": type } });
      expect(status).toBe(415);
    }
  });

  it("that is longer than the limit is refused with 413, whether its length is told or not", async () => {
    await using shop = await openShop({ maxBodyBytes: 10 });
    expect((await shop.send("POST", "/echo", "x".repeat(11))).status).toBe(413);
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(4)),
    });
    const request = new Request("http://shop.example/echo", { method: "POST", body, duplex: "half" });
    expect((await shop.handler(request)).status).toBe(413);
    const { orchestratorQueue } = await shop.client.admin.queueDepths();
    expect(orchestratorQueue).toBe(0);
  });
});

describe("ids", () => {
  it.each(["a/b", "ä ö", "50%", "a?b#c", "a:1", "x".repeat(1_000)])(
    "of any text are found by their links: %.20s",
    async (instanceId) => {
      await using shop = await openShop();
      const body = { options: { instanceId } };
      const started = await shop.send("POST", "/echo", body, { headers: { "content-type": START_TYPE } });
      const { pathname } = new URL(started.body.links.result);
      expect((await shop.send("GET", `${pathname}?wait=50s`)).body).toEqual({ input: "none" });
    },
  );

  it.each([".", "..", "x".repeat(1_001)])(
    "that no address or store can have are refused: %.20s",
    async (id) => {
      await using shop = await openShop({ works: false });
      const { status } = await shop.send("POST", "/echo", undefined, { headers: { "idempotency-key": id } });
      expect(status).toBe(400);
      expect((await shop.client.admin.queueDepths()).orchestratorQueue).toBe(0);
    },
  );

  withShop("in two places that differ are refused", async (shop) => {
    const headers = { "content-type": START_TYPE, "idempotency-key": "a" };
    const { status } = await shop.send("POST", "/echo", { options: { instanceId: "b" } }, { headers });
    expect(status).toBe(400);
  });
});

describe("links", () => {
  it("are those that the caller sees, behind a proxy that ends TLS or changes the host", async () => {
    await using shop = await openShop();
    const of = async (headers: Record<string, string>) =>
      (await shop.send("POST", "/echo", undefined, { headers })).headers.get("location");
    const key = { "idempotency-key": "a" };
    expect(await of({ ...key, host: "ops.example:8080" })).toBe("http://ops.example:8080/instances/a");
    expect(
      await of({ ...key, "x-forwarded-proto": "https, http", "x-forwarded-host": "public.example" }),
    ).toBe("https://public.example/instances/a");
    for (const host of ["evil.example/path", "a b", "user@evil.example"]) {
      expect(await of({ ...key, "x-forwarded-host": host })).not.toContain("evil.example/path");
    }
    for (const proto of ["javascript", "ftp", "https://evil.example/?"]) {
      expect(await of({ ...key, "x-forwarded-proto": proto })).toBe("http://shop.example/instances/a");
    }
  });
});
