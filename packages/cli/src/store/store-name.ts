/** The name of a store in `--store`: a file, a container of Cosmos DB, or the address of a server that has the store. */
import { usage } from "../errors/exit-code.ts";

/** A store before it is opened. */
export type StoreName =
  | { readonly kind: "sqlite"; readonly file: string }
  | {
      readonly kind: "cosmos";
      readonly endpoint: string;
      readonly database: string;
      readonly container: string;
    }
  | { readonly kind: "http"; readonly address: string };

/** Use of the store by a verb. */
export type StoreAccess = "read" | "write" | "create";

const FORMS = "sqlite:FILE, cosmos:https://ACCOUNT/DATABASE/CONTAINER, or https://SERVER/PATH";

/** Throws a `CommandError` for any other text. It never repeats what follows the scheme: it may hold a secret. */
export function parseStoreName(text: string): StoreName {
  const [, scheme = "", rest = ""] = /^([a-z]+):(.+)$/is.exec(text) ?? [];
  if (scheme.toLowerCase() === "sqlite") return { kind: "sqlite", file: rest };
  if (scheme.toLowerCase() === "cosmos") return parseCosmos(rest);
  if (/^https?$/i.test(scheme)) return parseHttp(text);
  if (/\.(db|sqlite3?)$/.test(text)) throw usage(`Write the store as sqlite:${text}`);
  throw usage(`The store is not known. It is ${FORMS}`);
}

function parseHttp(text: string): StoreName {
  if (!URL.canParse(text)) throw usage("A server is https://SERVER/PATH, the address of its routes");
  const { username, password, search, hash, origin, pathname } = new URL(text);
  if (`${username}${password}${search}${hash}` !== "") {
    throw usage("The address of a server holds no secret and no query: set DUROXIDE_TOKEN");
  }
  return { kind: "http", address: `${origin}${pathname}` };
}

function parseCosmos(rest: string): StoreName {
  let url: URL;
  try {
    url = new URL(rest);
  } catch {
    throw usage("A Cosmos DB store is cosmos:https://ACCOUNT/DATABASE/CONTAINER");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "") {
    throw usage("The address of a store holds no secret: set COSMOSDB_KEY, or sign in to Microsoft Entra ID");
  }
  const [database = "duroxide", container = "duroxide", ...more] = url.pathname
    .split("/")
    .filter((part) => part !== "")
    .map(decodeURIComponent);
  if (more.length > 0) throw usage("A Cosmos DB store is cosmos:https://ACCOUNT/DATABASE/CONTAINER");
  return { kind: "cosmos", endpoint: url.origin, database, container };
}
