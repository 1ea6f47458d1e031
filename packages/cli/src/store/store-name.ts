/** The name of a store in `--store`: `sqlite:FILE`, or `cosmos:https://ACCOUNT/DATABASE/CONTAINER`. */
import { usage } from "../errors/exit-code.ts";

/** A store before it is opened. */
export type StoreName =
  | { readonly kind: "sqlite"; readonly file: string }
  | {
      readonly kind: "cosmos";
      readonly endpoint: string;
      readonly database: string;
      readonly container: string;
    };

/** Use of the store by a verb. */
export type StoreAccess = "read" | "write" | "create";

const FORMS = "sqlite:FILE, or cosmos:https://ACCOUNT/DATABASE/CONTAINER";

/** Throws a `CommandError` for any other text. It never repeats what follows the scheme: it may hold a secret. */
export function parseStoreName(text: string): StoreName {
  const [, scheme = "", rest = ""] = /^([a-z]+):(.+)$/is.exec(text) ?? [];
  if (scheme.toLowerCase() === "sqlite") return { kind: "sqlite", file: rest };
  if (scheme.toLowerCase() === "cosmos") return parseCosmos(rest);
  if (/\.(db|sqlite3?)$/.test(text)) throw usage(`Write the store as sqlite:${text}`);
  throw usage(`The store is not known. It is ${FORMS}`);
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
