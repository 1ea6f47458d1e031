/** The kind of a payload, for errors and warnings that name it. */
export type PayloadKind = keyof typeof SUBJECT;

const SUBJECT = {
  "activity-input": "input of activity",
  "activity-result": "result of activity",
  "orchestration-input": "input of orchestration",
  "orchestration-output": "output of orchestration",
  "child-input": "input of child orchestration",
  "custom-status": "custom status of orchestration",
  "kv-value": "value of key",
  "raised-event": "event",
  "queue-message": "message of queue",
  "stream-value": "value of stream",
  progress: "progress of activity",
  question: "input of question",
  answer: "answer to question",
} as const;

/** A description such as `input of activity "charge"`. */
export function describePayload(kind: PayloadKind, name: string): string {
  return `${SUBJECT[kind]} "${name}"`;
}
