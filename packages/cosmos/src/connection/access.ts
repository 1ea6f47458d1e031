/**
 * The address of the account and the authorisation of requests. An option may have a secret in the wrong place (for
 * example a connection string as the endpoint), so no message repeats a value.
 */
import type { TokenCredential } from "@azure/core-auth";
import { invalidOption } from "./option-checks.ts";

/** How requests are authorised. */
export type Access =
  | { readonly kind: "key"; readonly key: string }
  /** Microsoft Entra ID; without a credential DefaultAzureCredential finds one when the first token is needed. */
  | { readonly kind: "entra"; readonly credential: TokenCredential | undefined };

export interface AccessOptions {
  readonly endpoint?: string;
  readonly key?: string;
  readonly connectionString?: string;
  readonly credential?: TokenCredential;
}

export interface Account {
  readonly endpoint: URL;
  readonly access: Access;
}

export function toAccount({ endpoint, key, connectionString, credential }: AccessOptions): Account {
  if (key !== undefined && credential !== undefined) {
    throw invalidOption("key and credential were both given; give one of them");
  }
  if (connectionString !== undefined) {
    if (endpoint !== undefined || key !== undefined || credential !== undefined) {
      throw invalidOption(
        "connectionString was given together with endpoint, key or credential; it contains endpoint and key, so leave those out",
      );
    }
    return fromConnectionString(connectionString);
  }
  const url = toEndpoint(endpoint);
  if (key !== undefined) return { endpoint: url, access: { kind: "key", key: toKey(key) } };
  if (credential !== undefined && typeof credential.getToken !== "function") {
    throw invalidOption(
      "credential has no getToken; give a TokenCredential, such as those of @azure/identity",
    );
  }
  if (url.protocol !== "https:") {
    throw invalidOption(
      "a Microsoft Entra token may only be sent over https; give an https endpoint, or a key for a local one",
    );
  }
  return { endpoint: url, access: { kind: "entra", credential } };
}

/** Whether connections to that host stay on this machine. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase();
  if (host === "localhost" || host.endsWith(".localhost") || host === "[::1]") return true;
  return /^127\.\d+\.\d+\.\d+$/.test(host);
}

function fromConnectionString(text: string): Account {
  const parts = new Map(
    String(text)
      .split(";")
      .filter((part) => part.includes("="))
      .map((part) => [part.slice(0, part.indexOf("=")).trim(), part.slice(part.indexOf("=") + 1)]),
  );
  const endpoint = parts.get("AccountEndpoint");
  const key = parts.get("AccountKey");
  if (endpoint === undefined || key === undefined) {
    throw invalidOption(
      'connectionString is not of the form "AccountEndpoint=https://…;AccountKey=…;"; copy it from the account\'s keys',
    );
  }
  return { endpoint: toEndpoint(endpoint), access: { kind: "key", key: toKey(key) } };
}

function toEndpoint(given: string | undefined): URL {
  const value = withoutBlanks(given);
  if (value === undefined || value === "") {
    throw invalidOption(
      "neither endpoint nor connectionString was given; give one, such as https://my-account.documents.azure.com",
    );
  }
  if (/AccountKey=/i.test(value)) {
    throw invalidOption("endpoint is a connection string; give it as connectionString");
  }
  if (!URL.canParse(value)) {
    throw invalidOption("endpoint is not a URL; give one such as https://my-account.documents.azure.com");
  }
  const url = new URL(value);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw invalidOption(
      "endpoint is no web address; give one such as https://my-account.documents.azure.com",
    );
  }
  if (
    url.username !== "" ||
    url.password !== "" ||
    url.pathname !== "/" ||
    url.search !== "" ||
    url.hash !== ""
  ) {
    throw invalidOption(
      "endpoint has more than scheme, host and port; give only those, such as https://my-account.documents.azure.com",
    );
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw invalidOption(
      `http to ${url.hostname} would send all data readably over the network; give an https endpoint (http is for this machine only)`,
    );
  }
  return url;
}

function toKey(given: string): string {
  const value = withoutBlanks(given);
  const isBase64 =
    typeof value === "string" && /^[A-Za-z0-9+/]+={0,2}$/.test(value) && value.length % 4 === 0;
  if (isBase64) return value;
  if (typeof value === "string" && /\s/.test(value)) {
    throw invalidOption("the key has a blank or a line end within; give it in one piece");
  }
  throw invalidOption(
    "the key is not base64; copy it again from the account's keys, whole and without quotes",
  );
}

/** Files and secrets of clusters often end with a line end. A value of another type is refused later. */
function withoutBlanks<Value>(value: Value): Value | string {
  return typeof value === "string" ? value.trim() : value;
}
