/**
 * JSON-RPC 2.0 over lines of stdin and stdout, as far as the Model Context Protocol needs it
 * (docs/decisions/command-line.md).
 */

import { exactJson } from "@duroxide-ts/core/stores";

/** A request or a notification; the latter has no id. */
interface Message {
  readonly id?: string | number | null;
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

/** Answers a line; `undefined` for a notification. Never rejects. */
export async function answerLine(
  line: string,
  handle: (method: string, params: Readonly<Record<string, unknown>>) => Promise<unknown>,
): Promise<string | undefined> {
  let message: Message;
  try {
    message = asMessage(line);
  } catch {
    return errorLine(null, new RpcError(RPC.parse, "the line is no JSON"));
  }
  if (typeof message !== "object" || message === null || typeof message.method !== "string") {
    return errorLine(null, new RpcError(RPC.request, "the line is no request"));
  }
  const { id, method, params } = message;
  try {
    const result = await handle(method, isRecord(params) ? params : {});
    return id === undefined ? undefined : JSON.stringify({ jsonrpc: "2.0", id, result });
  } catch (error) {
    return id === undefined ? undefined : errorLine(id, error);
  }
}

/** Numbers that JavaScript cannot hold stay as they are written. Throws for a name that occurs twice in an object. */
function asMessage(line: string): Message {
  const message = exactJson(line);
  if (typeof message === "string") throw new SyntaxError("a name occurs twice in an object");
  return message as Message;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function errorLine(id: string | number | null, error: unknown): string {
  const code = error instanceof RpcError ? error.code : RPC.internal;
  const message = error instanceof Error ? error.message : String(error);
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}
