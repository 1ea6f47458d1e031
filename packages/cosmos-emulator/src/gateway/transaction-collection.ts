/** The container of a stored procedure: operations of one logical partition, in the open transaction. */
import { type Container, type ItemOperation, type ItemResult, parsePatch } from "../engine/index.ts";
import { CosmosError } from "../protocol/cosmos-error.ts";
import type { JsonValue } from "../protocol/json.ts";
import type { PartitionKey } from "../protocol/partition-key.ts";
import type {
  DocumentReference,
  ScriptCollection,
  ScriptPage,
  ScriptPageOptions,
  ScriptQuery,
} from "../scripts/index.ts";

export class TransactionCollection implements ScriptCollection {
  readonly selfLink: string;
  readonly altLink: string;
  /** The id of the physical partition in which all of it happens. */
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

  /** Returns the sum of the charges of the operations so far. */
  get charge(): number {
    return this.#charge;
  }

  read(reference: DocumentReference): string {
    return bodyOf(this.#execute({ kind: "read", id: this.#idOf(reference) }));
  }

  patch(reference: DocumentReference, patch: JsonValue, etag: string | undefined): string {
    const operation = { kind: "patch", id: this.#idOf(reference), patch: parsePatch(patch) } as const;
    return bodyOf(this.#execute(etag === undefined ? operation : { ...operation, ifMatch: etag }));
  }

  query({ query, parameters }: ScriptQuery, { pageSize, continuation }: ScriptPageOptions): ScriptPage {
    const page = this.#container.query({
      query,
      parameters: new Map(parameters.map(({ name, value }) => [name, value])),
      partitionKey: this.#key ?? [],
      maxItems: pageSize,
      ...(continuation !== undefined && { continuation }),
    });
    return this.#paid(page);
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

function bodyOf({ body }: ItemResult): string {
  if (body === undefined) throw new Error("The engine answered without the document.");
  return body;
}
