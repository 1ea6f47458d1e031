/** The status where the sender has gone: nobody reads the answer. */
export const GONE = 499;

/** The status with which a failed call of a client or of a store is answered. */
const STATUS_OF: Readonly<Record<string, number>> = {
  "instance-not-found": 404,
  "instance-still-running": 409,
  "sub-orchestration": 409,
  "lock-lost": 409,
  "already-exists": 409,
  "orchestration-failed": 409,
  "not-found": 404,
  gone: 410,
  ended: 409,
  suspended: 409,
  blocked: 409,
  refused: 409,
  "invalid-input": 400,
  "limit-exceeded": 413,
  "question-refused": 422,
  "read-only": 403,
  unsupported: 501,
  timeout: 504,
};

/** `undefined` for a code of which a caller knows nothing, such as that of a store which is down. */
export function errorStatus(code: string): number | undefined {
  return STATUS_OF[code];
}
