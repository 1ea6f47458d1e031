/** The whole store: databases, containers, offers, and the transaction in which a stored procedure runs. */
import type { JsonObject } from "../protocol/json.ts";
import type { Query } from "../sql/index.ts";
import { Catalogue, type Resource, type ResourceKind } from "./catalogue/catalogue.ts";
import { Containers, containerSelf } from "./catalogue/containers.ts";
import { createDatabase, databaseSelf, findDatabase } from "./catalogue/databases.ts";
import {
  createOffer,
  DEFAULT_THROUGHPUT,
  findOffer,
  offerOf,
  type ProvisionedThroughput,
  provisionedBy,
  type Throughput,
} from "./catalogue/offers.ts";
import { StoredProcedures } from "./catalogue/stored-procedures.ts";
import { Container } from "./container.ts";
import { type QueryPageRequest, queryResources } from "./feeds/query.ts";
import type { FeedPage } from "./feeds/read-feed.ts";
import type { EngineOptions } from "./options.ts";
import { openConnection } from "./store/open-connection.ts";
import { Store } from "./store/store.ts";

export class Engine {
  readonly #store: Store;
  readonly #catalogue: Catalogue;
  readonly #containers: Containers;
  /** Open containers by database and container as requests name them. */
  readonly #opened = new Map<string, Container>();
  /** Throughput by the same names. */
  readonly #provisioned = new Map<string, ProvisionedThroughput>();

  private constructor(store: Store) {
    this.#store = store;
    this.#catalogue = new Catalogue(store.connection, store.settings.now);
    this.#containers = new Containers(store, this.#catalogue);
  }

  /** Opens the file, or a new store in memory. Throws with a reason if the file cannot be used. */
  static open(options: EngineOptions): Engine {
    return new Engine(new Store(openConnection(options.path, options.random), options));
  }

  close(): void {
    this.#store.connection.close();
  }

  /**
   * Runs a function, and all of what it writes to items becomes visible together, at one position, or nothing of it
   * if `run` throws. `run` must be synchronous.
   */
  transaction<T>(run: () => T): T {
    return this.#store.atomically(run);
  }

  /** @param throughput Throughput shared by the containers of the database that have none of their own. */
  createDatabase(body: JsonObject, throughput?: Throughput): Resource {
    return this.#store.connection.transaction(() => {
      const database = createDatabase(this.#catalogue, body);
      if (throughput !== undefined) {
        createOffer(this.#catalogue, { rid: database.rid, self: databaseSelf(database.rid) }, throughput);
      }
      return database;
    });
  }

  /** Reads a database by name or `_rid`. */
  readDatabase(idOrRid: string): Resource {
    return findDatabase(this.#catalogue, idOrRid, "itself");
  }

  listDatabases(): readonly Resource[] {
    return this.#catalogue.list("dbs", "");
  }

  deleteDatabase(idOrRid: string): void {
    const database = this.readDatabase(idOrRid);
    this.#changeCatalogue(() => {
      for (const container of this.#catalogue.list("colls", database.rid)) this.#removeContainer(container);
      this.#removeOffer(database.rid);
      this.#catalogue.remove(database);
    });
  }

  createContainer(databaseIdOrRid: string, body: JsonObject, throughput?: Throughput): Resource {
    const database = findDatabase(this.#catalogue, databaseIdOrRid, "content");
    return this.#changeCatalogue(() => {
      const container = this.#containers.create(database, body);
      const isShared = offerOf(this.#catalogue, database.rid) !== undefined;
      const own = throughput ?? (isShared ? undefined : DEFAULT_THROUGHPUT);
      const self = containerSelf(database, container.rid);
      if (own !== undefined) createOffer(this.#catalogue, { rid: container.rid, self }, own);
      return container;
    });
  }

  /** Reads a container by name or `_rid`; 404/1003 where the database is absent. */
  readContainer(databaseIdOrRid: string, idOrRid: string): Resource {
    const database = findDatabase(this.#catalogue, databaseIdOrRid, "content");
    return this.#containers.find(database, idOrRid, "itself");
  }

  listContainers(databaseIdOrRid: string): readonly Resource[] {
    const database = findDatabase(this.#catalogue, databaseIdOrRid, "content");
    return this.#catalogue.list("colls", database.rid);
  }

  replaceContainer(databaseIdOrRid: string, idOrRid: string, body: JsonObject): Resource {
    const database = findDatabase(this.#catalogue, databaseIdOrRid, "content");
    const stored = this.#containers.find(database, idOrRid, "itself");
    return this.#changeCatalogue(() => this.#containers.replace(database, stored, body));
  }

  deleteContainer(databaseIdOrRid: string, idOrRid: string): void {
    const stored = this.readContainer(databaseIdOrRid, idOrRid);
    this.#changeCatalogue(() => this.#removeContainer(stored));
  }

  /** Splits a physical partition of a container in the middle; the first one where none is named. Returns the new ids. */
  splitPartition(databaseIdOrRid: string, idOrRid: string, rangeId?: string): readonly string[] {
    const database = findDatabase(this.#catalogue, databaseIdOrRid, "content");
    const stored = this.#containers.find(database, idOrRid, "content");
    return this.#changeCatalogue(() => this.#containers.splitPartition(database, stored, rangeId));
  }

  /** Merges two neighbouring physical partitions; the first two where none are named. Returns the new id. */
  mergePartitions(databaseIdOrRid: string, idOrRid: string, rangeIds?: readonly string[]): string {
    const database = findDatabase(this.#catalogue, databaseIdOrRid, "content");
    const stored = this.#containers.find(database, idOrRid, "content");
    return this.#changeCatalogue(() => this.#containers.mergePartitions(database, stored, rangeIds));
  }

  /** Opens a container for work on its items; 404/1003 where the database or the container is absent. */
  container(databaseIdOrRid: string, idOrRid: string): Container {
    const key = keyOf(databaseIdOrRid, idOrRid);
    let container = this.#opened.get(key);
    if (container === undefined) {
      container = this.#openContainer(databaseIdOrRid, idOrRid);
      this.#opened.set(key, container);
    }
    return container;
  }

  /** Parses a query, and keeps its tree for the next time; 400 if the text is malformed. */
  parsedQuery(text: string): Query {
    return this.#store.parsedQuery(text);
  }

  listOffers(): readonly Resource[] {
    return this.#catalogue.list("offers", "");
  }

  readOffer(rid: string): Resource {
    return findOffer(this.#catalogue, rid);
  }

  /**
   * Answers one page of a query over resources of one kind with the same owner.
   * @param ownerRid The `_rid` of the database or container to which they belong; "" for databases and offers.
   */
  queryResources(kind: ResourceKind, ownerRid: string, request: QueryPageRequest): FeedPage {
    return queryResources(this.#store, kind, ownerRid, request);
  }

  /**
   * Finds the throughput of a container, its own or shared with others. Undefined where the container does not exist.
   */
  provisionedThroughput(databaseIdOrRid: string, idOrRid: string): ProvisionedThroughput | undefined {
    const key = keyOf(databaseIdOrRid, idOrRid);
    const known = this.#provisioned.get(key) ?? this.#findProvisioned(databaseIdOrRid, idOrRid);
    if (known !== undefined) this.#provisioned.set(key, known);
    return known;
  }

  #findProvisioned(databaseIdOrRid: string, idOrRid: string): ProvisionedThroughput | undefined {
    const database = this.#catalogue.find("dbs", "", databaseIdOrRid);
    const container = database && this.#catalogue.find("colls", database.rid, idOrRid);
    if (database === undefined || container === undefined) return undefined;
    const offer = offerOf(this.#catalogue, container.rid) ?? offerOf(this.#catalogue, database.rid);
    return offer && provisionedBy(offer);
  }

  #openContainer(databaseIdOrRid: string, idOrRid: string): Container {
    const database = findDatabase(this.#catalogue, databaseIdOrRid, "content");
    const resource = this.#containers.find(database, idOrRid, "content");
    const state = this.#containers.state(database, resource);
    const storedProcedures = new StoredProcedures(this.#store, this.#catalogue, state);
    return new Container({ databaseId: database.id, id: resource.id }, state, storedProcedures);
  }

  #removeContainer(container: Resource): void {
    this.#removeOffer(container.rid);
    this.#containers.remove(container);
  }

  #removeOffer(ownerRid: string): void {
    const offer = offerOf(this.#catalogue, ownerRid);
    if (offer !== undefined) this.#catalogue.remove(offer);
  }

  /** Changes the catalogue, after which names of requests may mean something else. */
  #changeCatalogue<T>(change: () => T): T {
    this.#opened.clear();
    this.#provisioned.clear();
    return this.#store.connection.transaction(change);
  }
}

function keyOf(databaseIdOrRid: string, idOrRid: string): string {
  return JSON.stringify([databaseIdOrRid, idOrRid]);
}
