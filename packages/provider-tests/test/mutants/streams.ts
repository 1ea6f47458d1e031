/** Faults in streams. */
import { type Mutant, mutantsIn } from "./mutant.ts";

export const streamMutants: readonly Mutant[] = [
  ...mutantsIn("operations/streams.ts", {
    "lets any activity of an instance write after its end": {
      find: "const { instanceId: owner } = findLockedActivity(store, OPERATION, writer.lockToken);",
      replace: "const owner = instanceId;\n  void findLockedActivity;",
    },
    "writes to the stream of an instance that the activity is not of": {
      find: "if (owner !== instanceId) throw ProviderError.lockLost(OPERATION);",
      replace: "void ProviderError;",
    },
    "writes to closed streams": { find: 'if (stream.closed) return "closed";', replace: "" },
    "writes for a turn to closed streams": { find: "if (stream.closed) continue;", replace: "" },
    "stores repeated values again": { find: "values: values.slice(attempt.repeated)", replace: "values" },
    "forgets to close a stream that a turn closes": { find: "stream.closed = change.close;", replace: "" },
    "takes two calls of an activity for one": {
      find: "= stepOf(writer, (name) =>",
      replace: "= ((lastOf) => ({ step: writer.name, last: lastOf(writer.name) }))((name: string) =>",
    },
    "forgets what a new attempt makes void": {
      find: "voids: index === 0 ? voids : undefined",
      replace: "voids: index < 0 ? voids : undefined",
    },
    "drops a batch too many of a stream": {
      find: "if (!mayDrop(kept, size, bounds)) break;",
      replace: "if (!mayDrop({ items: kept.items + 1, bytes: kept.bytes }, size, bounds)) break;",
    },
    "never drops anything of a stream": {
      find: "if (!mayDrop(kept, size, bounds)) break;",
      replace: "if (size.items > 0 || !mayDrop(kept, size, bounds)) break;",
    },
    "has pages without a limit": { find: "if (room < 0 && batches.length > 0) break;", replace: "" },
    "leaves out the batch in which a read begins": {
      find: "if (offset + values.length <= from) continue;",
      replace: "if (offset < from) continue;",
    },
    "takes a start that waits for nobody": {
      find: "takenBy(store, instanceId) === undefined ? undefined : WAITING",
      replace: "takenBy(store, instanceId) === undefined ? WAITING : undefined",
    },
  }),
  ...mutantsIn("admin/delete-instances.ts", {
    "keeps the streams of a deleted instance": { find: "    store.streams,", replace: "" },
  }),
  ...mutantsIn("operations/store-turn.ts", {
    "keeps streams closed when an ended instance begins again": {
      find: "openStreams(store, instanceId);",
      replace: "void openStreams;",
    },
  }),
  ...mutantsIn("operations/progress.ts", {
    "keeps the progress of earlier executions": {
      find: "if (row.executionId < executionId) rows.delete(call);",
      replace: "if (row.executionId > executionId) rows.delete(call);",
    },
    "counts each report as an attempt": {
      find: "attemptNumber(writer, last)",
      replace: 'attemptNumber(writer, last && { ...last, delivery: "" })',
    },
  }),
];
