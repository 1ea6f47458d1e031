/**
 * The documents of one container, exactly as duroxide-cdb stores them: docs/reference/wire-format.md §6. One
 * container holds all types; the partition key is `instanceId`. Times are milliseconds since the epoch.
 *
 * `eventData`, `workItem` and `payload` are JSON text inside the JSON, which this file does not decode.
 */
import { blocks, type U64, WireError } from "@duroxide-ts/core/stores";

const MAX_U64 = 2n ** 64n - 1n;

/** One of the 256 parts of a queue (u8). */
const slot: blocks.Codec<number> = blocks.integer(0, 0xff);

/** Counted up by one (i32). */
const smallCount: blocks.Codec<number> = blocks.integer(-(2 ** 31), 2 ** 31 - 1);

/** An i64 within the range of exact integers. */
const signed: blocks.Codec<number> = blocks.integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);

/**
 * A time (u64). Rust stores "never" as 2^64-1, which a client library's JSON parser rounds up to 2^64. This value must
 * be readable, and must be written within the range of u64. Ids are plain `u64`s, because they must not be rounded.
 */
const instant: blocks.Codec<U64> = {
  read: (value) => {
    if (typeof value !== "number" || value <= Number.MAX_SAFE_INTEGER) return blocks.u64.read(value);
    if (!(value <= 2 ** 64)) return blocks.u64.read(value);
    const exact = BigInt(value);
    return exact > MAX_U64 ? MAX_U64 : exact;
  },
  write: blocks.u64.write,
};

const { defaulted, neverWritten, nullable, optional, text, u64 } = blocks;

/** The fields that Cosmos DB adds to every document. Read, never written. */
export interface SystemFields {
  /** Changes with every write of the document. */
  readonly _etag?: string;
  /** Seconds, not milliseconds. */
  readonly _ts?: U64;
  readonly _rid?: string;
  readonly _self?: string;
  readonly _attachments?: string;
}

interface DocumentHead extends SystemFields {
  /** Unique within the partition; its form for each type is in §6. */
  readonly id: string;
  readonly instanceId: string;
}

/** A lock is held while both are set and `lockedUntil` is in the future. */
interface Lockable {
  readonly lockToken: string | null;
  readonly lockedUntil: U64 | null;
}

interface QueueMessage extends Lockable {
  /** A WorkItem as JSON text. */
  readonly workItem: string;
  /** `dispatchSlot(instanceId)`. */
  readonly dispatchSlot: number;
  readonly visibleAt: U64;
  readonly enqueuedAt: U64;
  /** Incremented by every fetch. */
  readonly attemptCount: number;
  /** These three are set on activities only. */
  readonly executionId: U64 | null;
  readonly activityId: U64 | null;
  readonly sessionId: string | null;
  readonly tag?: string;
}

/** The fields of each type, beside `id`, `instanceId` and `type`. */
export interface DocumentPayloads {
  instance: {
    /** Empty until the instance's start message has been processed, as is the version. */
    readonly orchestrationName: string;
    readonly orchestrationVersion: string;
    readonly currentExecutionId: U64;
    /** Running, Completed, Failed or ContinuedAsNew; Rust takes any text. */
    readonly status: string;
    readonly output: string | null;
    readonly parentInstanceId: string | null;
    /** See packSemver. */
    readonly pinnedDuroxideVersionPacked: number | null;
    readonly customStatus: string | null;
    readonly customStatusVersion: U64;
    readonly createdAt: U64;
    readonly updatedAt: U64;
  } & Lockable;
  history: {
    readonly executionId: U64;
    readonly eventId: U64;
    /** A HistoryEvent as JSON text. */
    readonly eventData: string;
  };
  orch_queue: QueueMessage;
  worker_queue: QueueMessage;
  /** A message for another instance, kept with its sender until it is delivered. */
  outbox_intent: {
    readonly targetInstanceId: string;
    /** `orch_queue` or `worker_queue`. */
    readonly targetDocumentType: string;
    /** The complete target document as JSON text. */
    readonly payload: string;
    readonly idempotencyKey: string;
    /** Always `pending`. */
    readonly status: string;
    readonly createdAt: U64;
    readonly attemptCount: number;
    readonly lastAttemptAt: U64 | null;
  };
  /** A value as of the last finished execution. */
  kv: {
    readonly key: string;
    readonly value: string;
    readonly executionId: U64;
    readonly lastUpdatedAtMs: U64;
  };
  /** A change by the running execution; `null` removes the key. */
  kv_delta: {
    readonly key: string;
    readonly value: string | null;
    readonly executionId: U64;
    readonly lastUpdatedAtMs: U64;
  };
  session: {
    readonly sessionId: string;
    readonly ownerId: string;
    readonly lockedUntil: U64;
    readonly lastActivity: U64;
    readonly createdAt: U64;
  };
}

/** The value of `type` in a document. */
export type DocumentType = keyof DocumentPayloads;

/** A document of one type. */
export type DocumentOf<T extends DocumentType> = T extends DocumentType
  ? DocumentHead & { readonly type: T } & DocumentPayloads[T]
  : never;

/** Any document of a container. */
export type CosmosDocument = DocumentOf<DocumentType>;

type PayloadTables = { readonly [T in DocumentType]: blocks.Fields<DocumentPayloads[T]> };

const QUEUE_MESSAGE: blocks.Fields<QueueMessage> = {
  workItem: text,
  dispatchSlot: slot,
  visibleAt: instant,
  enqueuedAt: instant,
  lockToken: nullable(text),
  lockedUntil: nullable(instant),
  attemptCount: smallCount,
  executionId: nullable(u64),
  activityId: nullable(u64),
  sessionId: nullable(text),
  tag: optional(text),
};

const TABLES: PayloadTables = {
  instance: {
    orchestrationName: text,
    orchestrationVersion: text,
    currentExecutionId: u64,
    status: text,
    output: nullable(text),
    parentInstanceId: nullable(text),
    pinnedDuroxideVersionPacked: nullable(signed),
    customStatus: nullable(text),
    customStatusVersion: u64,
    lockToken: nullable(text),
    lockedUntil: nullable(instant),
    createdAt: instant,
    updatedAt: instant,
  },
  history: { executionId: u64, eventId: u64, eventData: text },
  orch_queue: QUEUE_MESSAGE,
  worker_queue: QUEUE_MESSAGE,
  outbox_intent: {
    targetInstanceId: text,
    targetDocumentType: text,
    payload: text,
    idempotencyKey: text,
    status: text,
    createdAt: instant,
    attemptCount: smallCount,
    lastAttemptAt: nullable(instant),
  },
  kv: { key: text, value: text, executionId: u64, lastUpdatedAtMs: defaulted<U64>(instant, () => 0) },
  kv_delta: {
    key: text,
    value: nullable(text),
    executionId: u64,
    lastUpdatedAtMs: defaulted<U64>(instant, () => 0),
  },
  session: {
    sessionId: text,
    ownerId: text,
    lockedUntil: instant,
    lastActivity: instant,
    createdAt: instant,
  },
};

const SYSTEM_FIELDS: blocks.Fields<SystemFields> = {
  _etag: neverWritten(text),
  _ts: neverWritten(u64),
  _rid: neverWritten(text),
  _self: neverWritten(text),
  _attachments: neverWritten(text),
};

const DOCUMENTS: ReadonlyMap<string, blocks.StructCodec<CosmosDocument>> = new Map(
  (Object.keys(TABLES) as DocumentType[]).map((type) => [type, documentCodec(type)]),
);

function documentCodec(type: DocumentType): blocks.StructCodec<CosmosDocument> {
  const ownType: blocks.Codec<string> = {
    read: (value) => (value === type ? type : blocks.refuse(`the type ${type}`, value)),
    write: text.write,
  };
  const table = { id: text, instanceId: text, type: ownType, ...TABLES[type], ...SYSTEM_FIELDS };
  return blocks.struct(table as unknown as blocks.Fields<CosmosDocument>);
}

/** Decodes JSON text, or an object that a client library has parsed. Throws a WireError. */
export function decodeDocument<T extends DocumentType>(type: T, source: unknown): DocumentOf<T> {
  try {
    const value = typeof source === "string" ? blocks.parseJson(source) : source;
    return codecOf(type).readObject(value) as unknown as DocumentOf<T>;
  } catch (error) {
    throw WireError.about(`document of type ${type}`, error);
  }
}

/** JSON text without the system fields. Fields that this version does not know are kept. */
export function encodeDocument(document: CosmosDocument): string {
  try {
    return codecOf(document.type).write(document) ?? "null";
  } catch (error) {
    throw WireError.about(`document of type ${document.type}`, error);
  }
}

function codecOf(type: DocumentType): blocks.StructCodec<CosmosDocument> {
  return (
    DOCUMENTS.get(type) ?? blocks.refuse(`one of the types ${[...DOCUMENTS.keys()].join(", ")}`, type, "type")
  );
}
