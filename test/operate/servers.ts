/**
 * The programs of docs/operate/dashboard.md that put the dashboard into a server, run as they are printed there: on the
 * real frameworks, on loopback. Next is not installed, because it is larger than everything else here together. Its
 * route is called as Next calls it, with a Request.
 */
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type DashboardHandler, toNodeHandler } from "@duroxide-ts/dashboard";
import { serve } from "@hono/node-server";
import type { Express } from "express";
import type { FastifyInstance } from "fastify";
import type { Hono } from "hono";
import { read } from "../tidy/repository.ts";

const PAGE = "docs/operate/dashboard.md";
/** Path inside the repository, where the packages are found by name. */
const FOLDERS = path.resolve(import.meta.dirname, "../../.cache/servers");

export interface RunningServer {
  /** Origin as a browser sees it. */
  readonly origin: string;
  /** Sends a request to a path of the server. */
  readonly send: (path: string, init?: RequestInit) => Promise<Response>;
  readonly close: () => Promise<void>;
}

export interface ServerKind {
  readonly name: string;
  /** Whether it has a route of its own beside the dashboard: `/echo` answers with the JSON that is posted. */
  readonly hasRoutes: boolean;
  readonly start: (handler: DashboardHandler) => Promise<RunningServer>;
}

export const SERVERS: readonly ServerKind[] = [
  {
    name: "Hono",
    hasRoutes: true,
    async start(handler) {
      const app = await runProgram<Hono>('from "hono"', "app", handler);
      app.post("/echo", async (context) => context.json(await context.req.json()));
      return running(serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }) as Server);
    },
  },
  {
    name: "Express",
    hasRoutes: true,
    async start(handler) {
      const app = await runProgram<Express>('from "express"', "app", handler);
      app.post("/echo", (request, response) => {
        response.json(request.body);
      });
      return running(app.listen(0, "127.0.0.1"));
    },
  },
  {
    name: "Fastify",
    hasRoutes: true,
    async start(handler) {
      const app = await runProgram<FastifyInstance>('from "fastify"', "app", handler);
      app.post("/echo", async (request) => request.body);
      const origin = await app.listen({ port: 0, host: "127.0.0.1" });
      return { origin, send: sender(origin), close: () => app.close() };
    },
  },
  {
    name: "node:http",
    hasRoutes: false,
    async start(handler) {
      const listener = await runProgram<RequestListener>(
        'from "node:http"',
        "toNodeHandler(handler)",
        handler,
      );
      return running(createServer(listener).listen(0, "127.0.0.1"));
    },
  },
  {
    name: "Next",
    hasRoutes: false,
    async start(handler) {
      const route = await runProgram<Readonly<Record<string, DashboardHandler>>>(
        "export const GET",
        "{ GET, POST }",
        handler,
      );
      // The address of Next's request is the one that the server listens on; the browser's is in the header.
      const send: RunningServer["send"] = async (address, { method = "GET", ...init } = {}) => {
        const headers = new Headers(init.headers);
        headers.set("host", "ops.example.com");
        const request = new Request(`http://localhost:3000${address}`, { ...init, method, headers });
        return (await route[method]?.(request)) ?? new Response(null, { status: 405 });
      };
      return { origin: "https://ops.example.com", send, close: async () => {} };
    },
  },
];

/** `result` of the program of the page that has this line. A server on a fixed port is left out. */
async function runProgram<T>(line: string, result: string, handler: DashboardHandler): Promise<T> {
  const programs = [...read(PAGE).matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
  const program = programs.find((code) => code.includes(line));
  if (program === undefined) throw new Error(`${PAGE} has no program with ${line}`);
  const imports = program.match(/^import .*$/gm) ?? [];
  const body = program.replaceAll(/^(import|createServer).*$/gm, "").replaceAll(/^export /gm, "");
  const text = [
    ...imports,
    `export const build = (handler, toNodeHandler) => {`,
    body,
    `return ${result};`,
    "};",
  ];
  mkdirSync(FOLDERS, { recursive: true });
  const folder = mkdtempSync(path.join(FOLDERS, "program-"));
  try {
    const file = path.join(folder, "program.mjs");
    writeFileSync(file, text.join("\n"));
    const { build } = await import(/* @vite-ignore */ pathToFileURL(file).href);
    return build(handler, toNodeHandler) as T;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function running(server: Server): Promise<RunningServer> {
  if (!server.listening) await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async (): Promise<void> => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { origin, send: sender(origin), close };
}

function sender(origin: string): RunningServer["send"] {
  return (address, init) => fetch(`${origin}${address}`, init);
}
