/**
 * JSON-RPC 2.0 over lines of stdin and stdout, as far as the Model Context Protocol needs it
 * (docs/decisions/command-line.md).
 */

import { exactJson } from "@duroxide-ts/core/stores";

/** A request or a notification; the latter has no id. */
interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
}

/** An error that is sent to the caller, with its code of JSON-RPC. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const RPC = {
  parse: -32_700,
  request: -32_600,
  method: -32_601,
  params: -32_602,
  internal: -32_603,
} as const;

type Handle = (method: string, params: Readonly<Record<string, unknown>>) => Promise<unknown>;

/**
 * Returns a function that answers a line, or several at a time; `undefined` for a notification, for a request that its
 * sender has cancelled meanwhile, and for an answer. It never rejects.
 */
export function lineAnswers(handle: Handle): (line: string) => Promise<string | undefined> {
  /** Requests under way, by their ids as JSON. */
  const underWay = new Map<string, { isCancelled: boolean }>();

  async function answer(message: unknown): Promise<string | undefined> {
    if (!isRecord(message)) return errorLine(null, NO_REQUEST);
    const { id, method, params }: Message = message;
    if (typeof method !== "string") return isAnswer(message) ? undefined : errorLine(idIn(id), NO_REQUEST);
    const given = isRecord(params) ? params : {};
    if (id === undefined) {
      const cancelled = method === CANCELLED ? underWay.get(JSON.stringify(given["requestId"])) : undefined;
      if (cancelled !== undefined) cancelled.isCancelled = true;
      else await handle(method, given).catch(() => {});
      return undefined;
    }
    if (idIn(id) === null && id !== null) return errorLine(null, NO_REQUEST);
    const key = JSON.stringify(id);
    const state = { isCancelled: false };
    underWay.set(key, state);
    const line = await handle(method, given).then(
      (result) => JSON.stringify({ jsonrpc: "2.0", id, result }),
      (error: unknown) => errorLine(id, error),
    );
    if (underWay.get(key) === state) underWay.delete(key);
    return state.isCancelled ? undefined : line;
  }

  return async (line) => {
    let message: unknown;
    try {
      message = asMessage(line);
    } catch {
      return errorLine(null, new RpcError(RPC.parse, "the line is no JSON"));
    }
    // The revision of March 2025 has batches.
    if (!Array.isArray(message) || message.length === 0) return answer(message);
    const answers = (await Promise.all(message.map(answer))).filter((it) => it !== undefined);
    return answers.length === 0 ? undefined : `[${answers.join(",")}]`;
  };
}

const CANCELLED = "notifications/cancelled";
const NO_REQUEST = new RpcError(RPC.request, "the line is no request");

/** The answer to a request that this server has not sent. */
function isAnswer(message: Readonly<Record<string, unknown>>): boolean {
  return "result" in message || "error" in message;
}

/** `null` for what is no id. A long number is an object that JSON writes as a number. */
function idIn(id: unknown): unknown {
  return /^["\d-]/.test(JSON.stringify(id) ?? "") ? id : null;
}

/** Numbers that JavaScript cannot hold stay as they are written. Throws for a name that occurs twice in an object. */
function asMessage(line: string): unknown {
  const message = exactJson(line);
  if (typeof message === "string") throw new SyntaxError("a name occurs twice in an object");
  return message;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function errorLine(id: unknown, error: unknown): string {
  const code = error instanceof RpcError ? error.code : RPC.internal;
  const message = error instanceof Error ? error.message : String(error);
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}
