/** Faults in streams. */
import type { Mutant } from "./mutant.ts";

const STREAMS = "operations/streams.ts";

export const streamMutants: readonly Mutant[] = [
  {
    name: "lets any activity of an instance write after its end",
    file: STREAMS,
    find: "const { instanceId: owner } = findLockedActivity(store, OPERATION, writer.lockToken);",
    replace: "const owner = instanceId;\n  void findLockedActivity;",
  },
  {
    name: "writes to the stream of an instance that the activity is not of",
    file: STREAMS,
    find: "if (owner !== instanceId) throw ProviderError.lockLost(OPERATION);",
    replace: "void ProviderError;",
  },
  {
    name: "writes to closed streams",
    file: STREAMS,
    find: 'if (stream.closed) return "closed";',
    replace: "",
  },
  {
    name: "writes for a turn to closed streams",
    file: STREAMS,
    find: "if (stream.closed) continue;",
    replace: "",
  },
  {
    name: "stores repeated values again",
    file: STREAMS,
    find: "values: values.slice(attempt.repeated)",
    replace: "values",
  },
  {
    name: "forgets to close a stream that a turn closes",
    file: STREAMS,
    find: "stream.closed = change.close;",
    replace: "",
  },
  {
    name: "takes two calls of an activity for one",
    file: STREAMS,
    find: "= stepOf(writer, (name) =>",
    replace: "= ((lastOf) => ({ step: writer.name, last: lastOf(writer.name) }))((name: string) =>",
  },
  {
    name: "forgets what a new attempt makes void",
    file: STREAMS,
    find: "voids: index === 0 ? voids : undefined",
    replace: "voids: index < 0 ? voids : undefined",
  },
  {
    name: "drops a batch too many of a stream",
    file: STREAMS,
    find: "if (!mayDrop(kept, size, bounds)) break;",
    replace: "if (!mayDrop({ items: kept.items + 1, bytes: kept.bytes }, size, bounds)) break;",
  },
  {
    name: "never drops anything of a stream",
    file: STREAMS,
    find: "if (!mayDrop(kept, size, bounds)) break;",
    replace: "if (size.items > 0 || !mayDrop(kept, size, bounds)) break;",
  },
  {
    name: "keeps the streams of a deleted instance",
    file: "admin/delete-instances.ts",
    find: "    store.streams,",
    replace: "",
  },
  {
    name: "keeps streams closed when an ended instance begins again",
    file: "operations/store-turn.ts",
    find: "openStreams(store, instanceId);",
    replace: "void openStreams;",
  },
  {
    name: "has pages without a limit",
    file: STREAMS,
    find: "if (room < 0 && batches.length > 0) break;",
    replace: "",
  },
  {
    name: "leaves out the batch in which a read begins",
    file: STREAMS,
    find: "if (offset + values.length <= from) continue;",
    replace: "if (offset < from) continue;",
  },
  {
    name: "keeps the progress of earlier executions",
    file: "operations/progress.ts",
    find: "if (row.executionId < executionId) rows.delete(call);",
    replace: "if (row.executionId > executionId) rows.delete(call);",
  },
  {
    name: "counts each report as an attempt",
    file: "operations/progress.ts",
    find: "attemptNumber(writer, last)",
    replace: 'attemptNumber(writer, last && { ...last, delivery: "" })',
  },
  {
    name: "takes a start that waits for nobody",
    file: STREAMS,
    find: "takenBy(store, instanceId) === undefined ? undefined : WAITING",
    replace: "takenBy(store, instanceId) === undefined ? WAITING : undefined",
  },
];
