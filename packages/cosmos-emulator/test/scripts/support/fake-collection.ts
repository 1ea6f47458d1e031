/** A container of one partition on a Map, with as much of the service's behaviour as scripts can notice. */
import { CosmosError } from "../../../src/protocol/cosmos-error.ts";
import { parseDocument } from "../../../src/protocol/json-text.ts";
import type {
  DocumentReference,
  ScriptCollection,
  ScriptCondition,
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

  /** What the gateway does with a transaction: nothing of it stays if `run` throws. */
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

  readFeed(options: ScriptPageOptions): ScriptPage {
    this.#enter("readFeed");
    return pageOf(this.documents, options);
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

  create(body: string): string {
    this.#enter("create");
    const document = parse(body);
    if (this.#documents.has(document.id)) {
      throw CosmosError.conflict("Resource with specified id or name already exists.");
    }
    return this.#store(document);
  }

  upsert(body: string, condition: ScriptCondition): string {
    this.#enter("upsert");
    const document = parse(body);
    checkEtag(this.#documents.get(document.id), condition);
    return this.#store(document);
  }

  replace(reference: DocumentReference, body: string, condition: ScriptCondition): string {
    this.#enter("replace");
    checkEtag(this.#find(reference), condition);
    return this.#store(parse(body));
  }

  patch(reference: DocumentReference, patch: string, condition: ScriptCondition): string {
    this.#enter("patch");
    const document = this.#find(reference);
    checkEtag(document, condition);
    const operations = JSON.parse(patch) as { path: string; value: unknown }[];
    const changes = operations.map(({ path, value }) => [path.slice(1), value] as const);
    return this.#store({ ...document, ...Object.fromEntries(changes) });
  }

  delete(reference: DocumentReference, condition: ScriptCondition): void {
    this.#enter("delete");
    const document = this.#find(reference);
    checkEtag(document, condition);
    this.#documents.delete(document.id);
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

function parse(body: string): StoredDocument {
  const document = parseDocument(body);
  const { id } = document;
  if (typeof id !== "string") throw CosmosError.badRequest("The required property 'id' is missing.");
  return { ...document, id };
}

function checkEtag(stored: StoredDocument | undefined, { etag }: ScriptCondition): void {
  if (etag !== undefined && stored?.["_etag"] !== etag) {
    throw CosmosError.preconditionFailed("One of the specified pre-condition is not met.");
  }
}
