/**
 * The script of the page in one file. A browser takes half of the time of a test to load its ninety modules, so only the
 * deep run has them as they are served (docs/decisions/time-and-tests.md).
 */
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { IS_DEEP } from "../../../../test/support/effort.ts";
import type { DashboardHandler } from "../../src/index.ts";

const MAIN = fileURLToPath(new URL("../../src/page/main.ts", import.meta.url));
const PRELOADS = /<link rel="modulepreload"[^>]*>\n/g;

const script: Promise<string> | undefined = IS_DEEP ? undefined : bundled();

async function bundled(): Promise<string> {
  const { output } = await build({ input: MAIN, write: false });
  return output[0].code;
}

export function inOneFile(handler: DashboardHandler): DashboardHandler {
  if (script === undefined) return handler;
  return async (request) => {
    const response = await handler(request);
    const { pathname } = new URL(request.url);
    if (pathname.endsWith("/page/main.ts")) return new Response(await script, response);
    const isPage = response.headers.get("content-type")?.startsWith("text/html") === true;
    return isPage ? new Response((await response.text()).replaceAll(PRELOADS, ""), response) : response;
  };
}
