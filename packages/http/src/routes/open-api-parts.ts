/** The parts of the OpenAPI document that are the same for all orchestrations. */

import { STORE_CALLS } from "../wire/store-calls.ts";

export type Json = Readonly<Record<string, unknown>>;

function ref(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

function body(schema: Json): Json {
  return { "application/json": { schema } };
}

function answer(description: string, schema: Json): Json {
  return { description, content: body(schema) };
}

const TEXT: Json = { type: "string" };

export const SCHEMAS: Json = {
  Error: {
    type: "object",
    required: ["error"],
    properties: {
      error: {
        type: "object",
        required: ["code", "message"],
        properties: {
          code: TEXT,
          message: TEXT,
          issues: {
            type: "array",
            items: {
              type: "object",
              required: ["message", "path"],
              properties: { message: TEXT, path: { type: "array", items: { type: ["string", "integer"] } } },
            },
          },
        },
      },
    },
  },
  Started: {
    type: "object",
    required: ["instanceId", "created", "links"],
    properties: {
      instanceId: TEXT,
      created: { type: "boolean" },
      links: {
        type: "object",
        required: ["status", "result", "events", "cancel"],
        properties: { status: TEXT, result: TEXT, events: TEXT, cancel: TEXT },
      },
    },
  },
  Status: {
    type: "object",
    required: ["status"],
    properties: {
      status: { enum: ["NotFound", "Scheduled", "Waiting", "Running", "Completed", "Failed", "Cancelled"] },
      output: {},
      message: TEXT,
      customStatus: {},
      customStatusVersion: { type: "integer" },
    },
  },
};

export const STARTED: Json = {
  ...answer("The start is stored", ref("Started")),
  headers: {
    Location: { description: "Address of the instance", schema: TEXT },
    "Retry-After": { description: "Seconds", schema: { type: "integer" } },
  },
};

/** Statuses of every route. */
export const REFUSALS: Json = Object.fromEntries(
  [
    [400, "The request is not valid"],
    [401, "The sender is not known, or the signature of a delivery is wrong"],
    [403, "A viewer may only read"],
    [404, "There is no such instance or orchestration"],
    [409, "The state of the instance does not allow it"],
    [413, "The body is too large"],
  ].map(([status, description]) => [status, answer(String(description), ref("Error"))]),
);

function parameter(place: string, name: string, description: string, schema: Json = TEXT): Json {
  return { name, in: place, ...(place === "path" && { required: true }), description, schema };
}

const query = (name: string, description: string, schema?: Json): Json =>
  parameter("query", name, description, schema);
const FLAG: Json = { type: "boolean", default: false };
const NUMBER: Json = { type: "integer", minimum: 0 };

const ID = parameter("path", "id", "Id of the instance");
const NAME = parameter("path", "name", "Name of the event, queue, question, stream or key");
const WAIT = query("wait", "How long to wait, 55s at most", { type: "string", examples: ["20s"] });
const AFTER = query(
  "customStatusAfter",
  "Ends the wait at a custom status with a higher version too",
  NUMBER,
);
const ONCE: readonly Json[] = [
  parameter(
    "header",
    "Idempotency-Key",
    "Id of the message: a repetition within a day is delivered once. Webhook-Id is another name for it",
  ),
  query("messageId", "The same, for an id that no header can have"),
];
const IF_MISSING = query("ifMissing", "Whether a message for an instance that was not started is kept", {
  enum: ["fail", "keep"],
  default: "fail",
});
const KEEP = query("keep", "Whether the event is kept until it is awaited", FLAG);
const READING: readonly Json[] = [
  query("from", "Offset of the first value", NUMBER),
  query("all", "Whether values of attempts that others have replaced come too", FLAG),
  query("follow", "Whether it waits for values that are still to come", { type: "boolean", default: true }),
  parameter("header", "Last-Event-ID", "Offset of the last event that the browser has got"),
  query("lastEventId", "The same, for programs that cannot send the header"),
];

function get(operationId: string, summary: string, parameters: readonly Json[], responses: Json): Json {
  return { get: { operationId, summary, parameters, responses: { ...responses, ...REFUSALS } } };
}

function post(
  operationId: string,
  summary: string,
  parameters: readonly Json[],
  { content, responses }: { readonly content: Json; readonly responses: Json },
): Json {
  const requestBody = { content };
  return {
    post: { operationId, summary, parameters, requestBody, responses: { ...responses, ...REFUSALS } },
  };
}

function delivery(operationId: string, summary: string, more: readonly Json[] = []): Json {
  return post(operationId, summary, [ID, NAME, ...ONCE, IF_MISSING, ...more], {
    content: { ...body({}), "*/*": { schema: TEXT } },
    responses: { 202: { description: "The message is stored" } },
  });
}

const RUNS = answer("It has not ended", ref("Status"));
const LIST: Json = { type: "array" };

export const INSTANCE_PATHS: Json = {
  "/instances/{id}": get("status", "What an instance is, and its output", [ID, WAIT, AFTER], {
    200: answer("It has ended", ref("Status")),
    202: RUNS,
  }),
  "/instances/{id}/result": get("result", "The output of an instance", [ID, WAIT], {
    200: answer("The output", {}),
    202: RUNS,
  }),
  "/instances/{id}/progress": get("progress", "What activities and steps have reported last", [ID], {
    200: answer("The reports, the latest first", LIST),
  }),
  "/instances/{id}/entries": get("entries", "The key-value entries of an instance", [ID], {
    200: answer("Pairs of key and value", LIST),
  }),
  "/instances/{id}/entries/{name}": get(
    "entry",
    "A key-value entry, now or when it exists",
    [ID, NAME, WAIT],
    {
      200: answer("The value", {}),
      204: { description: "There is no such entry" },
    },
  ),
  "/instances/{id}/stats": get("stats", "Sizes of the current execution", [ID], {
    200: answer("The sizes", { type: "object" }),
    204: { description: "It has not begun" },
  }),
  "/instances/{id}/streams": get("streams", "The streams of an instance", [ID], {
    200: answer("Their names and offsets", LIST),
  }),
  "/instances/{id}/streams/{name}": get(
    "stream",
    "The values of a stream, while they come",
    [ID, NAME, ...READING],
    {
      200: {
        description: "Server-sent events: id is the offset, data the value as JSON",
        content: { "text/event-stream": { schema: TEXT } },
      },
      204: { description: "The stream has ended, and the browser has got all" },
    },
  ),
  "/instances/{id}/cancel": post("cancel", "Asks an instance to end", [ID], {
    content: body({ type: "object", properties: { reason: TEXT } }),
    responses: { 202: { description: "The request is stored" } },
  }),
  "/instances/{id}/events/{name}": delivery("raise", "Sends an event", [KEEP]),
  "/instances/{id}/queues/{name}": delivery("enqueue", "Adds a message to a queue"),
  "/instances/{id}/ask/{name}": post("ask", "Asks a running instance", [ID, NAME, WAIT, ...ONCE], {
    content: body({}),
    responses: {
      200: answer("The answer", {}),
      422: answer("The question is refused", ref("Error")),
      504: answer("There was no answer in time", ref("Error")),
    },
  }),
};

/** Paths of a server that serves the store as a whole. */
export const STORE_PATHS: Json = {
  "/instances/{id}/history": get(
    "history",
    "The events of an execution; of the newest by default",
    [ID, query("execution", "Number of the execution", { type: "integer", minimum: 1 })],
    { 200: answer("The events, the oldest first", LIST) },
  ),
  ...Object.fromEntries(
    Object.entries(STORE_CALLS).flatMap(([part, calls]) =>
      Object.entries(calls).map(([name, kind]) => [
        `/${part}/${name}`,
        post(
          `${part}.${name}`,
          `client.${part}.${name}, ${kind === "read" ? "which reads" : "which changes: for operators"}`,
          [],
          {
            content: body({ type: "array", description: "The arguments of the call" }),
            responses: { 200: answer("What it returned", { type: "object", properties: { value: {} } }) },
          },
        ),
      ]),
    ),
  ),
};
