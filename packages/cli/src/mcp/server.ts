/** The Model Context Protocol: what a client asks first, the list of tools, and their calls. */
import { JsonText } from "@duroxide-ts/core/client";
import { withInstants } from "../output/json.ts";
import type { OpenStore } from "../store/open-store.ts";
import { RPC, RpcError } from "./json-rpc.ts";
import type { ReadingStore, Tool } from "./tool.ts";

/** The newest revision of the protocol that this server speaks, and older ones whose tools are the same. */
const REVISIONS = ["2025-06-18", "2025-03-26", "2024-11-05"];

const LONGEST_TEXT = 2_000;
const LONGEST_ANSWER = 60_000;

/** The store of the tools. */
interface Stores {
  readonly reading: ReadingStore;
  readonly writing: OpenStore;
}

export interface McpServer {
  handle(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown>;
}

export function mcpServer(
  stores: Stores,
  tools: readonly Tool[],
  version: string,
  now: () => number,
): McpServer {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  /** Settles when the changes that were asked for so far are done. */
  let changes: Promise<unknown> = Promise.resolve();
  return {
    async handle(method, params) {
      switch (method) {
        case "initialize":
          return {
            protocolVersion: REVISIONS.find((it) => it === params["protocolVersion"]) ?? REVISIONS[0],
            capabilities: { tools: {} },
            serverInfo: { name: "duroxide", version },
          };
        case "notifications/initialized":
        case "ping":
          return {};
        case "tools/list":
          return { tools: tools.map(describeTool) };
        case "tools/call": {
          const tool = byName.get(String(params["name"]));
          const call = (): Promise<object> => callTool(tool, params["arguments"], stores, now());
          if (tool === undefined || tool.waits === true) return call();
          // Changes are done in the order in which they came, and what looks after them sees them.
          const done = changes.then(call);
          if (tool.writes === true) changes = done;
          return done;
        }
        default:
          throw new RpcError(RPC.method, `there is no method ${method}`);
      }
    },
  };
}

function describeTool({ name, description, properties, required = [], writes }: Tool): object {
  return {
    name,
    description,
    inputSchema: { type: "object", properties, required, additionalProperties: false },
    annotations: { readOnlyHint: writes !== true, destructiveHint: writes === true },
  };
}

/** A failure of the tool is an answer for the model, not an error of the protocol. */
async function callTool(
  tool: Tool | undefined,
  given: unknown,
  { reading, writing }: Stores,
  nowMs: number,
): Promise<object> {
  if (tool === undefined) throw new RpcError(RPC.params, "there is no such tool");
  try {
    const args = argumentsOf(tool, (given ?? {}) as Readonly<Record<string, unknown>>);
    const value = await (tool.writes
      ? tool.call(writing, args, nowMs, reading)
      : tool.call(reading, args, nowMs));
    const text = JSON.stringify(withInstants(value), shorten) ?? "null";
    const whole = text.length <= LONGEST_ANSWER;
    return answer(
      whole ? text : `${text.slice(0, LONGEST_ANSWER)}… (${text.length} characters; ask for less)`,
    );
  } catch (given) {
    const error = reading.shown.error(given);
    return { ...answer(error instanceof Error ? error.message : String(error)), isError: true };
  }
}

/** Payloads as they were written, and values for everything else. */
function argumentsOf(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  checkNames(tool, given);
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const json = JSON.stringify(value);
      return [name, tool.payloads?.includes(name) === true ? new JsonText(json) : JSON.parse(json)];
    }),
  );
}

/** A condition that is misspelt would choose other instances than the caller means. */
function checkNames({ name, properties }: Tool, given: Readonly<Record<string, unknown>>): void {
  const known = Object.keys(properties);
  const unknown = Object.keys(given).find((it) => !known.includes(it));
  if (unknown === undefined) return;
  const has = known.length === 0 ? "it takes none" : `its arguments are ${known.join(", ")}`;
  throw new TypeError(`${name} has no argument ${JSON.stringify(unknown)}; ${has}`);
}

function answer(text: string): object {
  return { content: [{ type: "text", text }] };
}

function shorten(_name: string, value: unknown): unknown {
  if (typeof value !== "string" || value.length <= LONGEST_TEXT) return value;
  return `${value.slice(0, LONGEST_TEXT)}… (${value.length} characters)`;
}
