/** The session document that Rust looks at, beside the activities of the instance. */
import type { BatchOperation } from "../requests/batch.ts";
import { sessionDocumentId } from "../schema/ids.ts";
import type { SessionOwner } from "./claim-session.ts";

export function mirrorOperation(instanceId: string, owner: SessionOwner): BatchOperation {
  const { sessionId, ownerId, lockedUntilMs, lastActivityMs, createdAtMs } = owner;
  return {
    kind: "upsert",
    body: {
      id: sessionDocumentId(instanceId, sessionId),
      instanceId,
      type: "session",
      sessionId,
      ownerId,
      lockedUntil: lockedUntilMs,
      lastActivity: lastActivityMs,
      createdAt: createdAtMs,
    },
  };
}
