/** Requests to the JSON API. */
import { setServerTime } from "./clock.ts";
import { BASE } from "./place.ts";

/** A request that failed: the store or the server said why, or no answer came. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** 0 if there was no answer. */
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export type Query = Readonly<Record<string, string | number | undefined>>;

/** A path of the API with its parameters. */
export function apiPath(route: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") parameters.set(name, String(value));
  }
  return parameters.size === 0 ? route : `${route}?${parameters}`;
}

function apiUrl(path: string): string {
  return `${BASE}/api/${path}`;
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return read<T>(await send(path, signal === undefined ? {} : { signal }));
}

export async function getFile(path: string): Promise<Blob> {
  return (await send(path, {})).blob();
}

export async function post<T>(path: string, body: object): Promise<T> {
  return read<T>(await postText(path, JSON.stringify(body)));
}

/** Sends one more field, whose JSON is sent as it was typed: a value would lose digits of long numbers. */
export async function postTyped<T>(path: string, body: object, field: string, json: string): Promise<T> {
  const text = JSON.stringify(body);
  const typed = json.trim() === "" ? text : `${text.slice(0, -1)},${JSON.stringify(field)}:${json}}`;
  return read<T>(await postText(path, typed));
}

/** Sends a request whose answer comes bit by bit. */
export async function postResponse(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return postText(path, JSON.stringify(body), signal);
}

function postText(path: string, body: string, signal?: AbortSignal): Promise<Response> {
  const headers = { "content-type": "application/json", "x-duroxide-action": "1" };
  const init: RequestInit = { method: "POST", headers, body };
  return send(path, signal === undefined ? init : { ...init, signal });
}

async function send(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(apiUrl(path), { credentials: "same-origin", ...init });
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") throw error;
    throw new ApiError(0, "no-answer", "The dashboard's server does not answer.");
  }
  if (response.ok) return response;
  throw await refusalOf(response);
}

async function read<T>(response: Response): Promise<T> {
  const body = (await response.json()) as T & { readonly nowMs?: number };
  if (typeof body.nowMs === "number") setServerTime(body.nowMs);
  return body;
}

async function refusalOf(response: Response): Promise<ApiError> {
  const { status } = response;
  try {
    const { error } = (await response.json()) as {
      readonly error: { readonly code: string; readonly message: string };
    };
    return new ApiError(status, error.code, error.message);
  } catch {
    return new ApiError(status, "unknown", `The server answered ${status}.`);
  }
}
