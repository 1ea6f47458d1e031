/** Stored procedures as resources of a container: text that is kept and given back. */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { matchesEtag } from "../../protocol/etag.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { containerChildRid } from "../../protocol/resource-id.ts";
import { checkName } from "../../protocol/resource-name.ts";
import { type QueryPageRequest, queryResources } from "../feeds/query.ts";
import type { FeedPage } from "../feeds/read-feed.ts";
import { preconditionFailed } from "../items/item-refusals.ts";
import type { Store } from "../store/store.ts";
import type { Catalogue, Naming, NewResource, Resource } from "./catalogue.ts";
import { alreadyExists } from "./databases.ts";

const MAX_PROCEDURES = 100;

const KIND = "sprocs";

export class StoredProcedures {
  readonly #store: Store;
  readonly #catalogue: Catalogue;
  /** The container's `_rid`. */
  readonly #parent: string;
  readonly #naming: Naming;

  constructor(
    store: Store,
    catalogue: Catalogue,
    container: { readonly rid: string; readonly self: string },
  ) {
    this.#store = store;
    this.#catalogue = catalogue;
    this.#parent = container.rid;
    this.#naming = {
      rid: (number) => containerChildRid(container.rid, KIND, number),
      self: (own) => `${container.self}${KIND}/${own}/`,
    };
  }

  list(): readonly Resource[] {
    return this.#catalogue.list(KIND, this.#parent);
  }

  query(request: QueryPageRequest): FeedPage {
    return queryResources(this.#store, KIND, this.#parent, request);
  }

  /** Finds a procedure by name or `_rid`; 404 if it is absent. */
  read(idOrRid: string): Resource {
    const found = this.#find(idOrRid);
    if (found !== undefined) return found;
    throw CosmosError.notFound(
      `There is no stored procedure ${JSON.stringify(idOrRid)} in the container. Create it first, or check the name.`,
    );
  }

  create(body: JsonObject): Resource {
    const id = checkProcedure(body);
    return this.#store.connection.transaction(() => {
      if (this.#find(id) !== undefined) throw alreadyExists("stored procedure", id);
      if (this.#catalogue.count(KIND, this.#parent) >= MAX_PROCEDURES) {
        throw CosmosError.badRequest(
          `A container has at most ${MAX_PROCEDURES} stored procedures. Delete one that is not needed.`,
        );
      }
      return this.#catalogue.insert(this.#resource(id, body), this.#naming);
    });
  }

  /** Replaces the text of a procedure; 412 unless its ETag is `ifMatch`, where one is given. */
  replace(idOrRid: string, body: JsonObject, ifMatch?: string): Resource {
    const id = checkProcedure(body);
    return this.#store.connection.transaction(() => {
      const stored = this.#expected(idOrRid, ifMatch);
      if (id !== stored.id)
        throw CosmosError.badRequest(`The id ${JSON.stringify(stored.id)} cannot be changed.`);
      return this.#catalogue.replace(stored, this.#resource(id, body), this.#naming);
    });
  }

  upsert(body: JsonObject): { readonly resource: Resource; readonly isNew: boolean } {
    const id = checkProcedure(body);
    const isNew = this.#find(id) === undefined;
    return { resource: isNew ? this.create(body) : this.replace(id, body), isNew };
  }

  remove(idOrRid: string, ifMatch?: string): void {
    this.#store.connection.transaction(() => this.#catalogue.remove(this.#expected(idOrRid, ifMatch)));
  }

  #find(idOrRid: string): Resource | undefined {
    return this.#catalogue.find(KIND, this.#parent, idOrRid);
  }

  #expected(idOrRid: string, ifMatch: string | undefined): Resource {
    const stored = this.read(idOrRid);
    if (ifMatch !== undefined && !matchesEtag(ifMatch, stored.etag)) throw preconditionFailed();
    return stored;
  }

  #resource(id: string, body: JsonObject): NewResource {
    const { _rid, _self, _etag, _ts, ...own } = body;
    return { kind: KIND, parent: this.#parent, id, own };
  }
}

function checkProcedure(body: JsonObject): string {
  const id = checkName(body);
  if (typeof body["body"] !== "string" || body["body"].trim() === "") {
    throw CosmosError.badRequest("The input content is invalid: body must be the text of a function.");
  }
  return id;
}
