/** The door of a standalone dashboard: a token in the address or in a form becomes a cookie. */
import { type Authorize, readText, type User } from "@duroxide-ts/core/web";
import { escaped } from "../assets/shell.ts";
import type { Door, DoorAnswer } from "./door.ts";
import type { Sessions } from "./sessions.ts";

/** Tokens are short; the rest of a longer body is not read, because nobody is known yet. */
const MOST_FORM_BYTES = 1_000;

/** The path of the button in the help of the page. */
const SIGN_OUT = "signout";

const FORM = `<h1>Sign in</h1>
<p>Open the address that the dashboard printed when it started, or enter the token here. An address works once.</p>
<form method="post">
<label class="field"><span class="label">Token</span><input type="password" name="token" autocomplete="off" required autofocus></label>
<button class="button main" type="submit">Sign in</button>
</form>`;

const REFUSED = `<p class="fault" role="alert">This token is not valid, or was used already.</p>\n`;

export interface DoorSettings {
  /** Name of the cookie; it has the port in it, because cookies are not bound to one. */
  readonly cookieName: string;
  readonly basePath: string;
  /** Whether browsers reach the server by TLS only, beside this machine. */
  readonly isSecure: boolean;
}

export function tokenDoor(sessions: Sessions, { cookieName, basePath, isSecure }: DoorSettings): Door {
  const attributes = `HttpOnly; SameSite=Lax; Path=${basePath || "/"}${isSecure ? "; Secure" : ""}`;
  const admit = (token: string, returnTo: string): DoorAnswer => {
    const session = sessions.redeem(token);
    if (session === undefined) return { status: 401, body: REFUSED + FORM };
    const target = escaped(returnTo);
    return {
      status: 200,
      // The page loads itself anew, so that the token leaves the address.
      head: `<meta http-equiv="refresh" content="0; url=${target}">`,
      body: `<h1>Signed in</h1><p><a href="${target}">To the dashboard</a></p>`,
      // Lax, so that a link on a page of another site finds the session; what changes anything is a POST.
      cookie: `${cookieName}=${session}; ${attributes}`,
    };
  };
  return {
    page: FORM,
    async answer(request, path) {
      const { searchParams } = new URL(request.url);
      const token = path === "" ? searchParams.get("token") : null;
      if (request.method === "GET" && token !== null) return admit(token, `${basePath}/`);
      if (request.method === "POST" && path === SIGN_OUT) {
        const session = sessionOf(request, cookieName);
        const body = `<h1>Signed out</h1><p><a href="${basePath}/">Sign in again</a></p>`;
        // A form on a page of another site comes without the cookie, and must not take it away.
        if (session === undefined) return { status: 200, body };
        sessions.end(session);
        return { status: 200, body, cookie: `${cookieName}=; Max-Age=0; ${attributes}` };
      }
      // The form is sent to the address at which it was shown.
      if (request.method !== "POST" || path.startsWith("api/")) return undefined;
      const form = new URLSearchParams(await readText(request, MOST_FORM_BYTES));
      return admit(form.get("token") ?? "", basePath + placeOf(path, searchParams));
    },
  };
}

/** The place without its token. A path with a slash in front would name another host. */
function placeOf(path: string, searchParams: URLSearchParams): string {
  if (path.startsWith("/")) return "/";
  const query = new URLSearchParams(searchParams);
  query.delete("token");
  return query.size === 0 ? `/${path}` : `/${path}?${query}`;
}

/** The cookie of a session, or the chosen token as a bearer's, for programs that read metrics. */
export function authorizeBySession(sessions: Sessions, cookieName: string, user: User): Authorize {
  return (request) => {
    const session = sessionOf(request, cookieName);
    const bearer = /^Bearer (.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    const isKnown =
      (session !== undefined && sessions.isSession(session)) ||
      (bearer !== undefined && sessions.isChosen(bearer));
    return isKnown ? user : undefined;
  };
}

function sessionOf(request: Request, name: string): string | undefined {
  return (request.headers.get("cookie") ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}
