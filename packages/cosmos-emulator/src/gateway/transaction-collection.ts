/** What a stored procedure sees of its container: the operations of one logical partition, in the open transaction. */
import { type Container, type ItemOperation, type ItemResult, parsePatch } from "../engine/index.ts";
import { CosmosError } from "../protocol/cosmos-error.ts";
import { parseJson } from "../protocol/json-text.ts";
import type { PartitionKey } from "../protocol/partition-key.ts";
import type {
  DocumentReference,
  ScriptCollection,
  ScriptCondition,
  ScriptPage,
  ScriptPageOptions,
  ScriptQuery,
} from "../scripts/index.ts";

export class TransactionCollection implements ScriptCollection {
  readonly selfLink: string;
  readonly altLink: string;
  /** The physical partition that all of it happens in. */
  readonly rangeId: string;
  readonly #container: Container;
  readonly #key: PartitionKey | undefined;
  #charge = 0;

  /** Throws 400/1001 unless the key is complete. */
  constructor(container: Container, key: PartitionKey | undefined) {
    this.#container = container;
    this.#key = key;
    this.rangeId = container.rangeIdOf(key);
    this.selfLink = container.self;
    this.altLink = `dbs/${container.databaseId}/colls/${container.id}`;
  }

  /** What the operations cost so far. */
  get charge(): number {
    return this.#charge;
  }

  read(reference: DocumentReference): string {
    return bodyOf(this.#execute({ kind: "read", id: this.#idOf(reference) }));
  }

  create(body: string): string {
    return bodyOf(this.#execute({ kind: "create", body }));
  }

  upsert(body: string, condition: ScriptCondition): string {
    return bodyOf(this.#execute({ kind: "upsert", body, ...matching(condition) }));
  }

  replace(reference: DocumentReference, body: string, condition: ScriptCondition): string {
    const operation = { kind: "replace", id: this.#idOf(reference), body } as const;
    return bodyOf(this.#execute({ ...operation, ...matching(condition) }));
  }

  delete(reference: DocumentReference, condition: ScriptCondition): void {
    this.#execute({ kind: "delete", id: this.#idOf(reference), ...matching(condition) });
  }

  patch(reference: DocumentReference, patch: string, condition: ScriptCondition): string {
    const operation = {
      kind: "patch",
      id: this.#idOf(reference),
      patch: parsePatch(parseJson(patch)),
    } as const;
    return bodyOf(this.#execute({ ...operation, ...matching(condition) }));
  }

  query({ query, parameters }: ScriptQuery, options: ScriptPageOptions): ScriptPage {
    const byName = new Map(parameters.map(({ name, value }) => [name, value]));
    return this.#paid(this.#container.query({ query, parameters: byName, ...this.#page(options) }));
  }

  readFeed(options: ScriptPageOptions): ScriptPage {
    return this.#paid(this.#container.readFeed(this.#page(options)));
  }

  #page({ pageSize, continuation }: ScriptPageOptions): {
    partitionKey: PartitionKey;
    maxItems: number;
    continuation?: string;
  } {
    const scope = { partitionKey: this.#key ?? [], maxItems: pageSize };
    return continuation === undefined ? scope : { ...scope, continuation };
  }

  #execute(operation: ItemOperation): ItemResult {
    try {
      return this.#paid(this.#container.execute(this.#key, operation));
    } catch (error) {
      if (error instanceof CosmosError) this.#charge += error.charge ?? 0;
      throw error;
    }
  }

  #paid<T extends { readonly charge: number }>(result: T): T {
    this.#charge += result.charge;
    return result;
  }

  #idOf(reference: DocumentReference): string {
    if ("id" in reference) return reference.id;
    const id = this.#container.itemIdOf(reference.rid);
    if (id === undefined)
      throw CosmosError.notFound(`The container has no document with the _rid ${reference.rid}.`);
    return id;
  }
}

function matching({ etag }: ScriptCondition): { readonly ifMatch?: string } {
  return etag === undefined ? {} : { ifMatch: etag };
}

function bodyOf({ body }: ItemResult): string {
  if (body === undefined) throw new Error("The engine answered without the document.");
  return body;
}
