/** Containers: their rows in the catalogue, their tables, and their states in memory. */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { parseDocument, writeJson } from "../../protocol/json-text.ts";
import { containerRid } from "../../protocol/resource-id.ts";
import { ContainerState } from "../container-state.ts";
import { type ContainerDefinition, parseContainerDefinition } from "../definition/container-definition.ts";
import { dropQueryIndexes } from "../indexes/query-indexes.ts";
import { createUniqueIndexes } from "../indexes/unique-keys.ts";
import { recomputeExpiry } from "../items/time-to-live.ts";
import { createPartitions } from "../store/partition.ts";
import { mergePartitions, splitPartition } from "../store/partition-changes.ts";
import { createItemTable, itemTable } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { Catalogue, Naming, NewResource, Resource } from "./catalogue.ts";
import { absent, alreadyExists, databaseSelf } from "./databases.ts";

const LINKS: JsonObject = {
  _docs: "docs/",
  _sprocs: "sprocs/",
  _triggers: "triggers/",
  _udfs: "udfs/",
  _conflicts: "conflicts/",
};

export class Containers {
  readonly #store: Store;
  readonly #catalogue: Catalogue;
  readonly #states = new Map<string, ContainerState>();

  constructor(store: Store, catalogue: Catalogue) {
    this.#store = store;
    this.#catalogue = catalogue;
  }

  create(database: Resource, body: JsonObject): Resource {
    const definition = parseContainerDefinition(body);
    if (this.#catalogue.find("colls", database.rid, definition.id) !== undefined) {
      throw alreadyExists("container", definition.id);
    }
    const { connection, settings } = this.#store;
    const created = this.#catalogue.insert(newContainer(database, definition), naming(database));
    const table = itemTable(created.seq);
    createItemTable(connection, table);
    createUniqueIndexes(connection, table, definition.uniqueKeys);
    recomputeExpiry(connection, table, definition.defaultTtlSeconds);
    createPartitions(connection, created.seq, settings.physicalPartitions, definition.partitionKey);
    return created;
  }

  find(database: Resource, idOrRid: string, wanted: "itself" | "content"): Resource {
    const found = this.#catalogue.find("colls", database.rid, idOrRid);
    if (found === undefined) throw absent("container", idOrRid, wanted);
    return found;
  }

  /** Changes the indexing policy and the time to live; the partition key and unique keys stay. */
  replace(database: Resource, stored: Resource, body: JsonObject): Resource {
    const definition = parseContainerDefinition(body);
    const state = this.state(database, stored);
    refuseFixedChanges(state.definition, definition);
    const { connection } = this.#store;
    const replaced = this.#catalogue.replace(stored, newContainer(database, definition), naming(database));
    if (state.definition.defaultTtlSeconds !== definition.defaultTtlSeconds) {
      recomputeExpiry(connection, state.table.name, definition.defaultTtlSeconds);
    }
    dropQueryIndexes(connection, state.table.name);
    this.#states.delete(stored.rid);
    return replaced;
  }

  /** Splits a partition, the first one where none is named, and returns the ids of the new ones. */
  splitPartition(database: Resource, stored: Resource, rangeId: string | undefined): readonly string[] {
    const state = this.state(database, stored);
    const split = rangeId === undefined ? state.partitions[0] : state.partition(rangeId);
    this.#states.delete(stored.rid);
    if (split === undefined) return [];
    return splitPartition(this.#store.connection, state.partitions, split, state.definition.partitionKey);
  }

  /** Merges two neighbours, the first two where none are named, and returns the id of the new one. */
  mergePartitions(database: Resource, stored: Resource, rangeIds: readonly string[] | undefined): string {
    const state = this.state(database, stored);
    const ids = rangeIds ?? state.partitions.slice(0, 2).map(({ id }) => id);
    const wanted = state.partitions.filter(({ id }) => ids.includes(id));
    const [left, right, ...others] = wanted;
    if (left === undefined || right === undefined || others.length > 0 || ids.length !== 2) {
      throw CosmosError.badRequest(
        `A merge takes two partitions of the container, not ${JSON.stringify(ids)}.`,
      );
    }
    this.#states.delete(stored.rid);
    return mergePartitions(this.#store.connection, state.partitions, [left, right]);
  }

  remove(container: Resource): void {
    const { connection } = this.#store;
    const table = itemTable(container.seq);
    connection.exec(`DROP TABLE ${table}`);
    connection.forget(table);
    connection.run("DELETE FROM partitions WHERE container = ?", container.seq);
    this.#catalogue.removeOwnedBy(container.rid);
    this.#catalogue.remove(container);
    this.#states.delete(container.rid);
  }

  /** Returns the state with which operations on items work: one object until the container is replaced. */
  state(database: Resource, container: Resource): ContainerState {
    const { seq, rid, body } = container;
    let state = this.#states.get(rid);
    if (state === undefined) {
      const identity = { number: seq, rid, self: containerSelf(database, rid) };
      state = new ContainerState(this.#store, identity, parseContainerDefinition(parseDocument(body)));
      this.#states.set(rid, state);
    }
    return state;
  }
}

function newContainer(database: Resource, definition: ContainerDefinition): NewResource {
  return { kind: "colls", parent: database.rid, id: definition.id, own: definition.body, links: LINKS };
}

function naming(database: Resource): Naming {
  return {
    rid: (number) => containerRid(database.rid, number),
    self: (rid) => containerSelf(database, rid),
  };
}

export function containerSelf(database: Resource, rid: string): string {
  return `${databaseSelf(database.rid)}colls/${rid}/`;
}

function refuseFixedChanges(before: ContainerDefinition, after: ContainerDefinition): void {
  if (after.id !== before.id) {
    throw CosmosError.badRequest("The id of a container cannot be changed. Create another container.");
  }
  if (writeJson(after.body["partitionKey"] ?? null) !== writeJson(before.body["partitionKey"] ?? null)) {
    throw CosmosError.badRequest(
      "The partition key of a container cannot be changed. Create another container.",
    );
  }
  if (JSON.stringify(after.uniqueKeys) !== JSON.stringify(before.uniqueKeys)) {
    throw new CosmosError({
      status: 403,
      code: "Forbidden",
      message: "The unique keys of a container cannot be changed. Create another container.",
    });
  }
}
