/** A container of one partition on a Map, with as much of the service's behaviour as scripts can notice. */
import { CosmosError } from "../../../src/protocol/cosmos-error.ts";
import type { JsonValue } from "../../../src/protocol/json.ts";
import type {
  DocumentReference,
  ScriptCollection,
  ScriptPage,
  ScriptPageOptions,
  ScriptQuery,
} from "../../../src/scripts/index.ts";

interface StoredDocument {
  readonly id: string;
  readonly [property: string]: unknown;
}

export class FakeCollection implements ScriptCollection {
  readonly selfLink = "dbs/AAAAAA==/colls/AAAAAAAAAAA=/";
  readonly altLink = "dbs/shop/colls/orders";
  /** Names of the calls, in order. */
  readonly calls: string[] = [];
  /** Called before each call: a test lets time pass here, or something fail. */
  beforeCall: (operation: string) => void = () => undefined;
  #documents = new Map<string, StoredDocument>();
  #versions = 0;

  get documents(): readonly StoredDocument[] {
    return [...this.#documents.values()];
  }

  /** Runs a transaction as the gateway does: nothing of it stays if `run` throws. */
  transaction<T>(run: () => T): T {
    const before = new Map(this.#documents);
    try {
      return run();
    } catch (error) {
      this.#documents = before;
      throw error;
    }
  }

  read(reference: DocumentReference): string {
    this.#enter("read");
    return JSON.stringify(this.#find(reference));
  }

  /** Knows equality only: each parameter `@name` stands for a condition on the property of that name. */
  query({ query, parameters }: ScriptQuery, options: ScriptPageOptions): ScriptPage {
    this.#enter("query");
    if (!query.toUpperCase().startsWith("SELECT"))
      throw CosmosError.badRequest("Syntax error near the start.");
    const matches = (document: StoredDocument): boolean =>
      parameters.every(({ name, value }) => document[name.slice(1)] === value);
    return pageOf(this.documents.filter(matches), options);
  }

  /** Stores a document for the test, which is no call. */
  add(id: string, properties: Readonly<Record<string, unknown>> = {}): void {
    this.#store({ ...properties, id });
  }

  patch(reference: DocumentReference, patch: JsonValue, etag: string | undefined): string {
    this.#enter("patch");
    const document = this.#find(reference);
    if (etag !== undefined && document["_etag"] !== etag) {
      throw CosmosError.preconditionFailed("One of the specified pre-condition is not met.");
    }
    const operations = patch as unknown as readonly { path: string; value: unknown }[];
    const changes = operations.map(({ path, value }) => [path.slice(1), value] as const);
    return this.#store({ ...document, ...Object.fromEntries(changes) });
  }

  #enter(operation: string): void {
    this.calls.push(operation);
    this.beforeCall(operation);
  }

  #find(reference: DocumentReference): StoredDocument {
    const found =
      "id" in reference
        ? this.#documents.get(reference.id)
        : this.documents.find((document) => document["_rid"] === reference.rid);
    if (found === undefined) throw CosmosError.notFound("Resource Not Found.");
    return found;
  }

  #store(document: StoredDocument): string {
    this.#versions += 1;
    const rid = this.#documents.get(document.id)?.["_rid"] ?? `AAAAAAAAAAA${this.#versions}==`;
    const stored = {
      ...document,
      _rid: rid,
      _self: `${this.selfLink}docs/${rid}/`,
      _etag: `"${this.#versions}"`,
    };
    this.#documents.set(document.id, stored);
    return JSON.stringify(stored);
  }
}

function pageOf(
  documents: readonly StoredDocument[],
  { pageSize, continuation }: ScriptPageOptions,
): ScriptPage {
  const from = Number(continuation ?? 0);
  const to = pageSize === -1 ? documents.length : from + pageSize;
  const rows = documents.slice(from, to).map((document) => JSON.stringify(document));
  return to < documents.length ? { rows, continuation: String(to) } : { rows };
}
