/** Stored procedures, triggers and user-defined functions as resources of a container: text that is kept and given back. */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { matchesEtag } from "../../protocol/etag.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { containerChildRid } from "../../protocol/resource-id.ts";
import { checkName } from "../../protocol/resource-name.ts";
import { type QueryPageRequest, queryResources } from "../feeds/query.ts";
import type { FeedPage } from "../feeds/read-feed.ts";
import { preconditionFailed } from "../items/item-refusals.ts";
import type { Store } from "../store/store.ts";
import type { Catalogue, Naming, NewResource, Resource, ScriptKind } from "./catalogue.ts";
import { alreadyExists } from "./databases.ts";

/** In a container. */
const LIMITS: Readonly<Record<ScriptKind, number>> = { sprocs: 100, triggers: 100, udfs: 50 };

const NAMES: Readonly<Record<ScriptKind, string>> = {
  sprocs: "stored procedure",
  triggers: "trigger",
  udfs: "user-defined function",
};

export class ContainerScripts {
  readonly #store: Store;
  readonly #catalogue: Catalogue;
  readonly #kind: ScriptKind;
  readonly #container: { readonly rid: string; readonly self: string };

  constructor(
    store: Store,
    catalogue: Catalogue,
    kind: ScriptKind,
    container: { readonly rid: string; readonly self: string },
  ) {
    this.#store = store;
    this.#catalogue = catalogue;
    this.#kind = kind;
    this.#container = container;
  }

  list(): readonly Resource[] {
    return this.#catalogue.list(this.#kind, this.#container.rid);
  }

  query(request: QueryPageRequest): FeedPage {
    return queryResources(this.#store, this.#kind, this.#container.rid, request);
  }

  /** By name or `_rid`; 404 if it is absent. */
  read(idOrRid: string): Resource {
    const found = this.#catalogue.find(this.#kind, this.#container.rid, idOrRid);
    if (found === undefined) {
      throw CosmosError.notFound(
        `There is no ${NAMES[this.#kind]} ${JSON.stringify(idOrRid)} in the container. Create it first, or check the name.`,
      );
    }
    return found;
  }

  create(body: JsonObject): Resource {
    const id = checkScript(body);
    return this.#store.connection.transaction(() => {
      if (this.#catalogue.find(this.#kind, this.#container.rid, id) !== undefined) {
        throw alreadyExists(NAMES[this.#kind], id);
      }
      if (this.#catalogue.count(this.#kind, this.#container.rid) >= LIMITS[this.#kind]) {
        throw CosmosError.badRequest(
          `A container has at most ${LIMITS[this.#kind]} of these: ${NAMES[this.#kind]}. Delete one that is not needed.`,
        );
      }
      return this.#catalogue.insert(this.#resource(id, body), this.#naming);
    });
  }

  /** @param ifMatch The ETag that the stored one must be, else 412. */
  replace(idOrRid: string, body: JsonObject, ifMatch?: string): Resource {
    const id = checkScript(body);
    return this.#store.connection.transaction(() => {
      const stored = this.#expected(idOrRid, ifMatch);
      if (id !== stored.id)
        throw CosmosError.badRequest(`The id ${JSON.stringify(stored.id)} cannot be changed.`);
      return this.#catalogue.replace(stored, this.#resource(id, body), this.#naming);
    });
  }

  upsert(body: JsonObject): { readonly resource: Resource; readonly isNew: boolean } {
    const id = checkScript(body);
    const isNew = this.#catalogue.find(this.#kind, this.#container.rid, id) === undefined;
    return { resource: isNew ? this.create(body) : this.replace(id, body), isNew };
  }

  remove(idOrRid: string, ifMatch?: string): void {
    this.#store.connection.transaction(() => this.#catalogue.remove(this.#expected(idOrRid, ifMatch)));
  }

  #expected(idOrRid: string, ifMatch: string | undefined): Resource {
    const stored = this.read(idOrRid);
    if (ifMatch !== undefined && !matchesEtag(ifMatch, stored.etag)) throw preconditionFailed();
    return stored;
  }

  #resource(id: string, body: JsonObject): NewResource {
    const { _rid, _self, _etag, _ts, ...own } = body;
    return { kind: this.#kind, parent: this.#container.rid, id, own };
  }

  get #naming(): Naming {
    const { rid, self } = this.#container;
    return {
      rid: (number) => containerChildRid(rid, this.#kind, number),
      self: (own) => `${self}${this.#kind}/${own}/`,
    };
  }
}

function checkScript(body: JsonObject): string {
  const id = checkName(body);
  if (typeof body["body"] !== "string" || body["body"].trim() === "") {
    throw CosmosError.badRequest("The input content is invalid: body must be the text of a function.");
  }
  return id;
}
