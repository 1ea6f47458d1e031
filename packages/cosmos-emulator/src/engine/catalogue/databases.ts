/** Databases: their rows in the catalogue. */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { databaseRid } from "../../protocol/resource-id.ts";
import { checkName } from "../../protocol/resource-name.ts";
import type { Catalogue, Naming, Resource } from "./catalogue.ts";

export function databaseNaming(salt: number): Naming {
  return { rid: (number) => databaseRid(number, salt), self: databaseSelf };
}

export function databaseSelf(rid: string): string {
  return `dbs/${rid}/`;
}

export function createDatabase(catalogue: Catalogue, body: JsonObject): Resource {
  const id = checkName(body);
  if (catalogue.find("dbs", "", id) !== undefined) throw alreadyExists("database", id);
  const resource = {
    kind: "dbs",
    parent: "",
    id,
    own: { id },
    links: { _colls: "colls/", _users: "users/" },
  } as const;
  return catalogue.insert(resource, databaseNaming(catalogue.salt));
}

/** Finds a database by name or `_rid`; 404 if it is absent, 404/1003 if the request is for something inside it. */
export function findDatabase(catalogue: Catalogue, idOrRid: string, wanted: "itself" | "content"): Resource {
  const found = catalogue.find("dbs", "", idOrRid);
  if (found === undefined) throw absent("database", idOrRid, wanted);
  return found;
}

export function absent(what: string, id: string, wanted: "itself" | "content"): CosmosError {
  return CosmosError.notFound(
    `Owner resource does not exist: there is no ${what} ${JSON.stringify(id)}. Create it first, or check the name.`,
    wanted === "content" ? { substatus: OWNER_ABSENT } : {},
  );
}

const OWNER_ABSENT = 1003;

export function alreadyExists(what: string, id: string): CosmosError {
  return CosmosError.conflict(
    `Resource with specified id, name, or unique index already exists: the ${what} ${JSON.stringify(id)}. Choose another id.`,
  );
}
