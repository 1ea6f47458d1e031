/** `POST /:orchestration`: starts an instance. */
import { event, InvalidInputError, type StartOptions } from "@duroxide-ts/core";
import { exactJson } from "@duroxide-ts/core/stores";
import { codeOf, instantIn, json, jsonPayload, Refused, readBytes } from "@duroxide-ts/core/web";
import { baseOf, linksOf, segmentOf } from "../request/links.ts";
import { messageIdOf } from "../request/message-id.ts";
import { isJson, mediaTypeOf, parsed, payloadOf } from "../request/payload.ts";
import { START_TYPE, type StartBody, type StartBodyOptions, type Started } from "../wire/bodies.ts";
import type { Call } from "./call.ts";

/** Pause that a caller should make before it asks, seconds. */
export const RETRY_AFTER = "1";

export async function start(call: Call): Promise<Response> {
  const { request, url, settings, segments } = call;
  const [name = ""] = segments;
  const { inputFor, options } = await readStart(call);
  const instanceId = idOf(messageIdOf(request, url), options.instanceId);
  // An id that no address can have is refused before the start.
  if (instanceId !== undefined) segmentOf(instanceId);
  const code = codeOf(settings.orchestrations, name, options.version) ?? name;
  // A schema takes values.
  const input = inputFor(typeof code === "string" || code.schema === undefined);
  const startOptions = { ...optionsOf(options), input, ...(instanceId !== undefined && { instanceId }) };
  const handle = await settings.client
    .start(code, startOptions as StartOptions<unknown> & { input: unknown })
    .catch((error: unknown) => Promise.reject(withAdvice(error, request)));
  const links = linksOf(baseOf(request, url, settings.basePath), handle.instanceId);
  const body: Started = { instanceId: handle.instanceId, created: handle.created, links };
  const response = json(body, 202);
  response.headers.set("location", links.status);
  response.headers.set("retry-after", RETRY_AFTER);
  return response;
}

interface Start {
  /** The input; `asText` as that of `jsonPayload`. */
  readonly inputFor: (asText: boolean) => unknown;
  readonly options: StartBodyOptions;
}

async function readStart({ request, settings }: Call): Promise<Start> {
  const bytes = await readBytes(request, settings.maxBodyBytes);
  if (mediaTypeOf(request) !== START_TYPE) {
    return { inputFor: (asText) => payloadOf(request, bytes, asText), options: {} };
  }
  const body = parsed(bytes, exactJson);
  if (!isRecord(body) || !isRecord(body["options"] ?? {})) {
    throw new Refused(
      400,
      "invalid-input",
      `a body of ${START_TYPE} is an object { input, options } in which no name occurs twice`,
    );
  }
  const { input, options = {} } = body as StartBody;
  const { raise, enqueue, ...others } = options;
  return {
    inputFor: (asText) => written(input, '"input"', asText),
    options: {
      ...(JSON.parse(JSON.stringify(others)) as StartBodyOptions),
      ...(raise !== undefined && { raise: messagesOf(raise, "data") }),
      ...(enqueue !== undefined && { enqueue: messagesOf(enqueue, "message") }),
    },
  };
}

/** A payload of a body that was parsed exactly. */
function written(value: unknown, what: string, asText: boolean): unknown {
  return value === undefined ? undefined : jsonPayload(JSON.stringify(value), what, asText);
}

/** Messages whose payloads are in `field`. */
function messagesOf(messages: unknown, field: string): unknown {
  if (!Array.isArray(messages)) return messages;
  return messages.map((each: unknown) =>
    isRecord(each) ? { ...each, [field]: written(each[field], `"${field}"`, true) } : each,
  );
}

function idOf(header: string | undefined, option: string | undefined): string | undefined {
  if (header === undefined || option === undefined || header === option) return header ?? option;
  throw new Refused(400, "invalid-input", "Idempotency-Key and instanceId are two ids; give one");
}

/** The options as the client takes them: JSON has no dates, and events and queues are their names. */
function optionsOf({ after, raise, ...options }: StartBodyOptions): object {
  return {
    ...options,
    ...(after !== undefined && {
      after: typeof after === "string" ? new Date(instantIn("after", after)) : after,
    }),
    ...(raise !== undefined && { raise: Array.isArray(raise) ? raise.map(keptEvent) : raise }),
  };
}

/** Events of a start are kept. */
function keptEvent(message: unknown): unknown {
  if (!isRecord(message) || typeof message["event"] !== "string") return message;
  return { ...message, event: event(message["event"], { keep: true }) };
}

/** Programs that send JSON without saying so get an error about a text. */
function withAdvice(error: unknown, request: Request): unknown {
  const isJsonText = isJson(request) || mediaTypeOf(request) === START_TYPE;
  if (isJsonText || !InvalidInputError.is(error) || error.issues === undefined) return error;
  const type = mediaTypeOf(request) || "absent";
  const advice = `the body was taken as a text, because its content-type is ${type}; JSON is application/json`;
  return new InvalidInputError(`${error.message}; ${advice}`, { issues: error.issues });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
