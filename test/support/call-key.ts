/** An idempotency key without the run id, which differs from run to run of a test. */
export function withoutRunId(key: string): string {
  return key.replace(/:[0-9a-f]{16}(?=:\d+:\d+$)/, "");
}
