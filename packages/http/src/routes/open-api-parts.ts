/** The parts of the OpenAPI document that are the same for all orchestrations. */

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

const ID: Json = { name: "id", in: "path", required: true, schema: TEXT };
const NAME: Json = { name: "name", in: "path", required: true, schema: TEXT };
const WAIT: Json = {
  name: "wait",
  in: "query",
  description: "How long to wait for the end, 55s at most",
  schema: { type: "string", examples: ["20s"] },
};
const ONCE: Json = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Id of the message: a repetition within a day is delivered once. Webhook-Id is another name for it",
  schema: TEXT,
};
const FROM: Json = {
  name: "from",
  in: "query",
  description: "Offset of the first value",
  schema: { type: "integer", minimum: 0 },
};
const LAST_EVENT_ID: Json = { name: "Last-Event-ID", in: "header", schema: TEXT };

function delivery(operationId: string, summary: string): Json {
  return {
    post: {
      operationId,
      summary,
      parameters: [ID, NAME, ONCE],
      requestBody: { content: { "application/json": { schema: {} }, "*/*": { schema: TEXT } } },
      responses: { 202: { description: "The message is stored" }, ...REFUSALS },
    },
  };
}

function read(operationId: string, summary: string, found: Json): Json {
  const parameters = [ID, WAIT];
  return {
    get: {
      operationId,
      summary,
      parameters,
      responses: { 200: found, 202: answer("It has not ended", ref("Status")), ...REFUSALS },
    },
  };
}

export const INSTANCE_PATHS: Json = {
  "/instances/{id}": read(
    "status",
    "What an instance is, and its output",
    answer("It has ended", ref("Status")),
  ),
  "/instances/{id}/result": read("result", "The output of an instance", answer("The output", {})),
  "/instances/{id}/progress": {
    get: {
      operationId: "progress",
      summary: "What activities and steps have reported last",
      parameters: [ID],
      responses: { 200: answer("The reports, the latest first", { type: "array" }), ...REFUSALS },
    },
  },
  "/instances/{id}/streams/{name}": {
    get: {
      operationId: "stream",
      summary: "The values of a stream, while they come",
      parameters: [ID, NAME, FROM, LAST_EVENT_ID],
      responses: {
        200: {
          description: "Server-sent events: id is the offset, data the value as JSON",
          content: { "text/event-stream": { schema: TEXT } },
        },
        204: { description: "The stream has ended, and the browser has got all" },
        ...REFUSALS,
      },
    },
  },
  "/instances/{id}/cancel": {
    post: {
      operationId: "cancel",
      summary: "Asks an instance to end",
      parameters: [ID],
      requestBody: { content: body({ type: "object", properties: { reason: TEXT } }) },
      responses: { 202: { description: "The request is stored" }, ...REFUSALS },
    },
  },
  "/instances/{id}/events/{name}": delivery("raise", "Sends an event"),
  "/instances/{id}/queues/{name}": delivery("enqueue", "Adds a message to a queue"),
  "/instances/{id}/ask/{name}": {
    post: {
      operationId: "ask",
      summary: "Asks a running instance",
      parameters: [ID, NAME, WAIT, ONCE],
      requestBody: { content: body({}) },
      responses: {
        200: answer("The answer", {}),
        ...REFUSALS,
        422: answer("The question is refused", ref("Error")),
        504: answer("There was no answer in time", ref("Error")),
      },
    },
  },
};
