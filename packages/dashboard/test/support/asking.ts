/** A dashboard that is asked without a server. */
import { silentLogger } from "@duroxide-ts/core";
import { type DashboardOptions, dashboard } from "../../src/index.ts";

const ROOT = "http://ops.example";
const HEADERS = { origin: ROOT, "content-type": "application/json", "x-duroxide-action": "1" };

export interface Asking {
  /** Asks a route of the API. */
  get(path: string): Promise<Response>;
  /** Returns what the answer of a route has. */
  read<T>(path: string): Promise<T>;
  /** Acts; a text is the body itself. */
  post(path: string, body: object | string): Promise<Response>;
}

/** Asks as an operator, unless the options say otherwise. */
export function asking(options: Partial<DashboardOptions>): Asking {
  const authorize = () => ({ user: "ada", role: "operator" }) as const;
  const handler = dashboard({ logger: silentLogger, authorize, ...options });
  const get = async (path: string): Promise<Response> => handler(new Request(`${ROOT}/api/${path}`));
  return {
    get,
    read: async <T>(path: string) => (await (await get(path)).json()) as T,
    post: async (path, given) => {
      const body = typeof given === "string" ? given : JSON.stringify(given);
      return handler(new Request(`${ROOT}/api/${path}`, { method: "POST", headers: HEADERS, body }));
    },
  };
}
