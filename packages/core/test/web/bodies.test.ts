/** Bodies of requests of Node: their limit, and what a middleware has left of them. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request as send } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, it } from "vitest";
import { silentLogger } from "../../src/index.ts";
import { json, readText, type WebHandler } from "../../src/web/index.ts";
import { toNodeHandler } from "../../src/web/node-handler.ts";

type Before = (incoming: IncomingMessage & { rawBody?: Uint8Array }) => Promise<void>;

/** The answer to a body of three letters, in a server whose middleware has run `before`. */
async function answerTo(body: string, before: Before): Promise<[number, unknown]> {
  const echo: WebHandler = async (request) => json(await readText(request, 10));
  const listener = toNodeHandler(echo, silentLogger);
  const server = createServer(async (incoming, outgoing) => {
    await before(incoming);
    listener(incoming, outgoing);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body });
  const found: [number, unknown] = [response.status, await response.json()];
  server.close();
  return found;
}

const nothing: Before = async () => {};
const readAll: Before = async (incoming) => {
  for await (const _ of incoming);
};

it("are read whole where nobody has read them", async () => {
  expect(await answerTo("abc", nothing)).toEqual([200, "abc"]);
  expect(await answerTo("", nothing)).toEqual([200, ""]);
});

it("are refused where a middleware has read them, and not taken for empty ones", async () => {
  expect(await answerTo("abc", readAll)).toEqual([
    500,
    { error: { code: "body-was-read", message: expect.stringContaining("before") } },
  ]);
  expect(await answerTo("", readAll)).toEqual([200, ""]);
});

it("are those of rawBody where a middleware has kept the bytes", async () => {
  const keeps: Before = async (incoming) => {
    const parts: Uint8Array[] = [];
    for await (const part of incoming) parts.push(part);
    incoming.rawBody = Buffer.concat(parts);
  };
  expect(await answerTo("abc", keeps)).toEqual([200, "abc"]);
});

it("are those of body where it has the bytes, as express.raw() leaves them", async () => {
  const keeps: Before = async (incoming) => {
    const parts: Uint8Array[] = [];
    for await (const part of incoming) parts.push(part);
    Object.assign(incoming, { body: Buffer.concat(parts) });
  };
  expect(await answerTo("abc", keeps)).toEqual([200, "abc"]);
});

it("that a middleware of the Web has read are refused, too", async () => {
  const request = new Request("http://shop.example/", { method: "POST", body: "abc" });
  await request.text();
  await expect(readText(request, 10)).rejects.toMatchObject({ status: 500, code: "body-was-read" });
});

it("that are answered before they have come are read on, for the next request of the connection", async () => {
  const server = createServer(
    toNodeHandler(async (request) => {
      const isLong = await readText(request, 10).then(
        () => false,
        () => true,
      );
      return json({ isLong });
    }, silentLogger),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  let answers = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    answers += text;
  });
  socket.write("POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n");
  socket.write(`14\r\n${"x".repeat(20)}\r\n`);
  await expect.poll(() => answers).toContain('{"isLong":true}');
  socket.write(
    `14\r\n${"x".repeat(20)}\r\n0\r\n\r\nPOST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\n\r\nx`,
  );
  await expect.poll(() => answers).toContain('{"isLong":false}');
  socket.destroy();
  server.close();
});

it("of answers are flushed part by part, for a middleware that compresses them", async () => {
  const flushed: string[] = [];
  const listener = toNodeHandler(
    async () =>
      new Response(
        new ReadableStream({
          start(controller) {
            for (const part of ["a", "b"]) controller.enqueue(new TextEncoder().encode(part));
            controller.close();
          },
        }),
      ),
    silentLogger,
  );
  const server = createServer((incoming, outgoing) => {
    listener(incoming, Object.assign(outgoing, { flush: () => flushed.push("flush") }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("ab");
  expect(flushed).toEqual(["flush", "flush"]);
  server.close();
});

it("that are too long are answered, and the server goes on", async () => {
  expect((await answerTo("x".repeat(11), nothing))[0]).toBe(413);
});

it("that end in the middle are not read for ever, and reject nothing that nobody handles", async () => {
  const read: unknown[] = [];
  const server = createServer(
    toNodeHandler(async (request) => {
      read.push(await readText(request, 10).catch((error: unknown) => error));
      return json({});
    }, silentLogger),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sent = send({ port, host: "127.0.0.1", method: "POST", headers: { "content-length": "5" } });
  sent.on("error", () => {});
  sent.write("ab", () => sent.destroy());
  await expect.poll(() => read).toEqual([expect.any(Error)]);
  server.close();
});
