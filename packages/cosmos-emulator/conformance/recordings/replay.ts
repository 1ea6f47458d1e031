/**
 * Sends the requests of a recording to another endpoint and compares the answers: status, sub-status, the names of the
 * headers that clients read, and the form of the body. Values are compared where they are the meaning of the answer.
 */
import { RawClient } from "../client/raw-client.ts";
import type { Reply } from "../client/reply.ts";
import { expectStatus } from "../expect.ts";
import { unique } from "../target.ts";
import { differencesOfForm } from "./form.ts";
import { DATABASE, PLACEHOLDER, type RecordedExchange, type Recording } from "./recording.ts";

export interface Difference {
  readonly step: string;
  readonly request: string;
  readonly what: string;
}

/**
 * Headers that the SDK reads (docs/reference/cosmos-protocol.md §1.12). The service sends more, which no client
 * reads.
 */
const HEADERS_READ: readonly string[] = [
  "x-ms-request-charge",
  "x-ms-activity-id",
  "etag",
  "x-ms-continuation",
  "x-ms-item-count",
  "x-ms-substatus",
  "x-ms-retry-after-ms",
  "x-ms-session-token",
  "x-ms-content-path",
  "x-ms-alt-content-path",
];

export async function replay(
  recording: Recording,
  endpoint: string,
  key: string,
): Promise<readonly Difference[]> {
  const raw = new RawClient(new URL(endpoint), key, { keepsSession: true });
  const database = unique("replay");
  try {
    await create(raw, database, recording);
    const values = new Map([[DATABASE, database]]);
    const differences: Difference[] = [];
    for (const exchange of recording.exchanges) {
      const { step, request, answer } = exchange;
      const reply = await send(raw, request, values);
      const found = [...differencesOf(answer, reply)];
      differences.push(
        ...found.map((what) => ({ step, request: `${request.method} ${request.link}`, what })),
      );
      learn(values, answer, reply);
    }
    return differences;
  } finally {
    await raw.send({ method: "DELETE", link: `dbs/${database}` }).catch(() => undefined);
    raw.close();
  }
}

async function create(raw: RawClient, database: string, { container }: Recording): Promise<void> {
  expectStatus(await raw.send({ method: "POST", link: "dbs", body: { id: database } }), 201);
  const link = `dbs/${database}/colls`;
  expectStatus(await raw.send({ method: "POST", link, body: container }), 201);
}

function send(
  raw: RawClient,
  request: RecordedExchange["request"],
  values: ReadonlyMap<string, string>,
): Promise<Reply> {
  const { method, link, path, headers, body } = request;
  const filled = (text: string): string =>
    [...values].reduce((result, [placeholder, value]) => result.replaceAll(placeholder, value), text);
  return raw.send({
    method,
    link: filled(link),
    ...(path !== undefined && { path: filled(path) }),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)])),
    ...(body !== undefined && { body: filled(body) }),
    showThrottling: true,
  });
}

function* differencesOf(answer: RecordedExchange["answer"], reply: Reply): Generator<string> {
  const [expected, came] = [`${answer.status}/${answer.substatus}`, `${reply.status}/${reply.substatus}`];
  if (expected !== came) {
    yield `it is ${came} instead of ${expected}`;
    return;
  }
  for (const name of HEADERS_READ) {
    const [was, is] = [answer.headers[name] !== undefined, reply.header(name) !== undefined];
    if (was !== is) yield `the header ${name} is ${is ? "there" : "missing"}`;
  }
  yield* differencesOfForm(answer.body, bodyOf(reply));
}

function bodyOf({ text }: Reply): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return "";
  }
}

/** Notes the values of the placeholders of an answer. */
function learn(values: Map<string, string>, answer: RecordedExchange["answer"], reply: Reply): void {
  const bind = (recorded: unknown, actual: unknown): void => {
    if (Array.isArray(recorded) && Array.isArray(actual)) {
      for (const [index, each] of recorded.entries()) bind(each, actual[index]);
    } else if (typeof recorded === "object" && recorded !== null) {
      for (const [name, each] of Object.entries(recorded)) bind(each, Object(actual)[name]);
    } else if (typeof recorded === "string" && typeof actual === "string") {
      const [placeholder] = recorded.match(PLACEHOLDER) ?? [];
      if (placeholder !== undefined && recorded.replaceAll('"', "") === placeholder)
        values.set(placeholder, actual.replaceAll(/^"|"$/g, ""));
    }
  };
  bind(answer.body, bodyOf(reply));
  for (const [name, value] of Object.entries(answer.headers)) bind(value, reply.header(name));
}
