/** Finds documents that must not be there when no process has work left. */
import type { Document } from "./documents.ts";

/** Documents of work that was begun and not ended. */
const UNFINISHED: ReadonlySet<string> = new Set([
  "outbox_intent",
  "commit_intent",
  "delete_intent",
  "prune_intent",
  "orch_queue",
  "worker_queue",
]);

/** They outlive the instance: they expire by themselves, or an operator deals with them. */
const WITHOUT_INSTANCE: ReadonlySet<string> = new Set([
  "receipt",
  "staged",
  "staging",
  "session_owner",
  "session_vouch",
  "dead_letter",
  "member",
  "worker",
]);

export function leftoversIn(documents: readonly Document[]): readonly string[] {
  const instances = documents.filter(({ type }) => type === "instance");
  const known = new Set(instances.map(({ instanceId }) => instanceId));
  const orphans = documents.filter(
    ({ type, instanceId }) => !WITHOUT_INSTANCE.has(type) && !known.has(instanceId),
  );
  return [
    ...documents.filter(({ type }) => UNFINISHED.has(type)).map(({ id, type }) => `left over: ${type} ${id}`),
    ...documents
      .filter((each) => isStrayPiece(each, documents))
      .map(({ id }) => `left over: staged ${id}, which nothing will remove`),
    ...orphans.map(({ id, type }) => `without its instance: ${type} ${id}`),
    ...instances.flatMap(marksOf),
  ];
}

/** Pieces of a commit that was never decided are removed by the reconciler, which goes by the note of them. */
function isStrayPiece({ type, instanceId, id }: Document, documents: readonly Document[]): boolean {
  if (type !== "staged") return false;
  const isNoted = (each: Document): boolean =>
    each.type === "staging" && id.startsWith(`${instanceId}:staged:${String(each["stage"])}:`);
  return !documents.some(isNoted);
}

function marksOf({
  instanceId,
  lockToken = null,
  lockedUntil = null,
  duroxideTs,
}: Document): readonly string[] {
  const notes = (duroxideTs ?? {}) as Readonly<Record<string, unknown>>;
  return [
    ...(lockToken === null && lockedUntil === null ? [] : [`${instanceId} is locked by ${lockToken}`]),
    ...(notes["deletion"] === undefined ? [] : [`${instanceId} is marked for deletion`]),
    ...(notes["taken"] === undefined ? [] : [`${instanceId} has a note of messages that a turn took`]),
  ];
}
