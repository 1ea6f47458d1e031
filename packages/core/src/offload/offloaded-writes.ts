/** Replaces large payloads in writes by references. */
import type { ProviderAdmin } from "../contract/admin.ts";
import type { ExecutionMetadata, Provider, TurnContent } from "../contract/provider.ts";
import type { InstanceRevision } from "../contract/revision.ts";
import type { Blobs } from "./blobs.ts";
import { collectTexts, replaceTexts } from "./payload-texts.ts";
import { looksLikeReference } from "./reference.ts";

type Replace = <T extends object>(record: T) => T;

export class OffloadedWrites {
  readonly #provider: Provider;
  readonly #blobs: Blobs;

  constructor(provider: Provider, blobs: Blobs) {
    this.#provider = provider;
    this.#blobs = blobs;
  }

  methods(): Partial<Provider> {
    const provider = this.#provider;
    return {
      ackOrchestrationItem: (ack) =>
        this.#write("ackOrchestrationItem", listsOf(ack), ack, (args, replace) =>
          provider.ackOrchestrationItem(replaced(args, replace)),
        ),
      ackWorkItem: (token, outcome) =>
        this.#write("ackWorkItem", [outcome ? [outcome] : []], outcome, (args, replace) =>
          provider.ackWorkItem(token, args && replace(args)),
        ),
      ackFusedTurn: (ack) =>
        this.#write("ackFusedTurn", listsOf(ack), ack, (args, replace) =>
          provider.ackFusedTurn(replaced(args, replace)),
        ),
      enqueueForWorker: (item) =>
        this.#write("enqueueForWorker", [[item]], item, (args, replace) =>
          provider.enqueueForWorker(replace(args)),
        ),
      enqueueForOrchestrator: (item, delayMs, options) =>
        this.#write("enqueueForOrchestrator", [[item]], { item, options }, (args, replace) =>
          provider.enqueueForOrchestrator(replace(args.item), delayMs, args.options),
        ),
      startInstance: (start, options) =>
        this.#write("startInstance", [[start], options.messages], { start, options }, (args, replace) => {
          const messages = args.options.messages.map(replace);
          return provider.startInstance(replace(args.start), { ...args.options, messages });
        }),
      appendHistory: (instanceId, executionId, events) =>
        this.#write("appendHistory", [events], events, (args, replace) =>
          provider.appendHistory(instanceId, executionId, args.map(replace)),
        ),
    };
  }

  adminMethods(admin: ProviderAdmin): Partial<ProviderAdmin> {
    return {
      reviseInstance: (revision) =>
        this.#write("reviseInstance", textsOf(revision), revision, (args, replace) =>
          admin.reviseInstance(replacedRevision(args, replace)),
        ),
    };
  }

  /**
   * Makes the call at once, with `args` themselves, if no payload is large. Otherwise copies them first, because the
   * caller may change them while blobs are written.
   */
  #write<A, R>(
    operation: string,
    lists: readonly (readonly object[])[],
    args: A,
    write: (args: A, replace: Replace) => Promise<R>,
  ): Promise<R> {
    const large = new Set<string>();
    for (const records of lists) {
      for (const record of records) collectTexts(record, this.#blobs.isLarge, large);
    }
    return large.size === 0 ? write(args, same) : this.#save(operation, large, structuredClone(args), write);
  }

  async #save<A, R>(
    operation: string,
    large: ReadonlySet<string>,
    args: A,
    write: (args: A, replace: Replace) => Promise<R>,
  ): Promise<R> {
    const references = await this.#blobs.save(operation, large);
    return write(args, (record) => replaceTexts(record, references));
  }
}

function textsOf({ turn, keyValues }: InstanceRevision): readonly (readonly object[])[] {
  return [...(turn === undefined ? [] : listsOf(turn)), [...(keyValues?.values() ?? [])]];
}

function replacedRevision(revision: InstanceRevision, replace: Replace): InstanceRevision {
  const { turn, keyValues } = revision;
  return {
    ...revision,
    ...(turn !== undefined && { turn: replaced(turn, replace) }),
    ...(keyValues !== undefined && {
      keyValues: new Map([...keyValues].map(([key, entry]) => [key, replace(entry)])),
    }),
  };
}

function same<T>(record: T): T {
  return record;
}

function listsOf(ack: TurnContent): readonly (readonly object[])[] {
  return [
    ack.historyDelta,
    ack.workerItems,
    ack.orchestratorItems,
    ack.returnedMessages ?? [],
    [outputOf(ack.metadata)],
  ];
}

function replaced<Content extends TurnContent>(ack: Content, replace: Replace): Content {
  return {
    ...ack,
    historyDelta: ack.historyDelta.map(replace),
    workerItems: ack.workerItems.map(replace),
    orchestratorItems: ack.orchestratorItems.map(replace),
    ...(ack.returnedMessages && { returnedMessages: ack.returnedMessages.map(replace) }),
    metadata: { ...ack.metadata, ...replace(outputOf(ack.metadata)) },
  };
}

/**
 * Only the output, because `status` is not a payload. The message of a failure stays, as in the event, so that queries
 * find its text; unless it looks like a reference (with-offload.WO2).
 */
function outputOf({ output, status }: ExecutionMetadata): Pick<ExecutionMetadata, "output"> {
  const isMessage = status === "Failed" && !looksLikeReference(output ?? "");
  return output === undefined || isMessage ? {} : { output };
}
