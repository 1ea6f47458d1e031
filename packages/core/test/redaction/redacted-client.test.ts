/** `client.redacted`: what is hidden, what stays as it was written, and what it refuses. */
import { describe, expect, it } from "vitest";
import { Client, InvalidInputError, jsonCodec, type PayloadCodec, silentLogger } from "../../src/index.ts";
import type { RedactPayload } from "../../src/stores/index.ts";
import { MemoryProvider } from "../../src/testing/index.ts";
import type { ErrorDetails } from "../../src/wire/error-details.ts";
import type { HistoryEvent } from "../../src/wire/event.ts";

const byName: RedactPayload = (path, value) => (/\.card$/.test(path) ? "•••" : value);
const same: RedactPayload = (_path, value) => value;

const ENVELOPE = {
  source_event_id: null,
  instance_id: "i",
  execution_id: 1,
  timestamp_ms: 1,
  duroxide_version: "0.1.32",
};

/** The events as a client reads them whose reads are redacted. */
async function read(
  fields: readonly object[],
  redact: RedactPayload,
  codec: PayloadCodec = jsonCodec,
): Promise<readonly HistoryEvent[]> {
  const provider = new MemoryProvider();
  const events = fields.map((it, n) => ({ ...ENVELOPE, event_id: n + 1, ...it }) as HistoryEvent);
  await provider.appendHistory("i", 1, events);
  return new Client(provider, { logger: silentLogger }).redacted(redact, codec).admin.history("i");
}

async function inputOf(input: string, redact: RedactPayload, codec?: PayloadCodec): Promise<string> {
  const [event] = await read([{ type: "ActivityScheduled", name: "a", input }], redact, codec);
  return event?.type === "ActivityScheduled" ? event.input : "";
}

async function detailsOf(details: ErrorDetails, redact: RedactPayload): Promise<string> {
  const [event] = await read([{ type: "OrchestrationFailed", details }], redact);
  return JSON.stringify(event);
}

it("An input that history stores as the difference to an earlier one is redacted whole", async () => {
  const first = JSON.stringify([{ card: "4111" }, "x".repeat(400)]);
  const call = { type: "ActivityScheduled", name: "a" };
  const second = { ...call, input: ',{"card":"4242"}', input_of: 1, input_cuts: [first.length - 1, 0, 16] };
  const events = await read([{ ...call, input: first }, second], byName);
  expect(events.map((event) => (event.type === "ActivityScheduled" ? event.input : ""))).toEqual([
    JSON.stringify([{ card: "•••" }, "x".repeat(400)]),
    JSON.stringify([{ card: "•••" }, "x".repeat(400), { card: "•••" }]),
  ]);
});

describe("a payload of which nothing is replaced", () => {
  it.each([
    '{ "b" : 1, "a":[ ] }',
    "9007199254740993",
    '{"n":9007199254740993,"m":1e400,"z":-0}',
    '"\\ud800"',
    '"{ \\"n\\" : 12345678901234567890 }"',
    "not JSON",
    '{"cut":',
  ])("stays as it was written: %s", async (input) => {
    expect(await inputOf(input, same)).toBe(input);
  });
});

describe("a text that is JSON", () => {
  it.each([
    ['"{\\"card\\":\\"4111\\"}"', '"{\\"card\\":\\"•••\\"}"'],
    [
      '{"body":"[{\\"card\\":\\"4111\\",\\"n\\":12345678901234567890}]"}',
      '{"body":"[{\\"card\\":\\"•••\\",\\"n\\":12345678901234567890}]"}',
    ],
    [JSON.stringify(JSON.stringify(JSON.stringify({ card: "4111" }))), "•••"],
    [JSON.stringify('\ufeff{"card":"4111"}\u00a0'), "•••"],
    ['{"odd":"{\\"card\\":\\"4111\\",\\"s\\":\\"\\\\ud800\\"}"}', "•••"],
  ])("is taken apart: %s", async (input, shown) => {
    const text = await inputOf(input, byName);
    expect(text).toContain(shown);
    expect(text).not.toContain("4111");
  });

  it("is seen as a whole too, with its numbers", async () => {
    const digits: RedactPayload = (_path, value) =>
      typeof value === "string" ? value.replaceAll(/\d{4,}/g, "•") : value;
    expect(await inputOf('{"body":"{\\"card\\":4111222233334444}"}', digits)).toBe(
      '{"body":"{\\"card\\":•}"}',
    );
  });

  it.each([
    ['{"card":"4111","card":null}', '{"card":null}'],
    ['{"a":[{"card":"4111","card":null}]}', '{"a":[{"card":null}]}'],
    [JSON.stringify('{"card":"4111","card":null}'), JSON.stringify('{"card":null}')],
    ['{"body":"{\\"card\\":\\"4111\\",\\"card\\":null}"}', '{"body":"{\\"card\\":null}"}'],
  ])("and has a name twice is shown as it is parsed: %s", async (input, shown) => {
    const texts: RedactPayload = (_path, value) =>
      typeof value === "string" ? value.replaceAll("4111", "•") : value;
    const byKind: RedactPayload = (path, value) =>
      path.endsWith(".card") && typeof value === "string" ? "•" : value;
    expect(await inputOf(input, byKind)).toBe(shown);
    expect(await inputOf(input, texts)).toBe(shown);
  });

  it("within itself a thousand times is hidden rather than shown or thrown", async () => {
    let value = "4111";
    for (let n = 0; n < 14; n++) value = JSON.stringify({ v: value });
    expect(
      await inputOf(value, (path, it) => (path.endsWith(".v.v.v") && it === "4111" ? "•" : it)),
    ).not.toContain("4111");
  });
});

describe("a redact that fails", () => {
  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("no rule");
      },
    ],
    ["returns nothing", () => undefined],
    ["answers with a promise", async () => "•••"],
    ["answers with a promise that rejects", () => Promise.reject(new Error("async"))],
  ])("because it %s for one value hides this value only", async (_what, fail) => {
    const redact: RedactPayload = (path, value) => (path.endsWith(".card") ? fail() : value);
    const input = await inputOf('{"name":"Ada","card":{"number":4111}}', redact);
    expect(JSON.parse(input)).toEqual({ name: "Ada", card: "(redact failed)" });
    await new Promise((resolve) => setImmediate(resolve));
  });
});

describe("what redact cannot look into", () => {
  /** Values that JSON empties. */
  const maps: PayloadCodec = {
    name: "maps",
    encode: (value) => (value instanceof Map ? `map:${JSON.stringify([...value])}` : jsonCodec.encode(value)),
    decode: (text) =>
      text.startsWith("map:")
        ? new Map(JSON.parse(text.slice(4)) as [string, unknown][])
        : jsonCodec.decode(text),
  };

  it("is not shown in the text that the codec wrote", async () => {
    expect(await inputOf('map:[["card","4111"]]', byName, maps)).not.toContain("4111");
  });

  it("is not shown where the codec cannot decode it", async () => {
    const strict: PayloadCodec = {
      name: "strict",
      encode: (value) => JSON.stringify(value) ?? "null",
      decode: (text) => JSON.parse(text) as unknown,
    };
    expect(await inputOf("card 4111", byName, strict)).not.toContain("4111");
  });

  it("is not shown where it is nested too deeply", async () => {
    const deep = `${'{"a":'.repeat(300)}{"card":"4111"}${"}".repeat(300)}`;
    expect(await inputOf(deep, byName)).not.toContain("4111");
  });
});

it("The reason for which a message was set aside is redacted as the message of an error is", async () => {
  const verdict = { event: 1, wait: 2, misfit: '"card: 4111 is no card"' };
  const events = [
    { type: "ExternalEventPersistent", name: "paid", data: '{"card":"4111"}', set_aside: [verdict] },
    { type: "ExternalSubscribedPersistent", name: "paid", set_aside: [verdict] },
  ];
  const hide: RedactPayload = (path, value) => (path === "error.message" ? "•••" : byName(path, value));
  const text = JSON.stringify(await read(events, hide));
  expect(text).not.toContain("4111");
  expect(text.split("•••")).toHaveLength(4);
});

describe("a failure", () => {
  const ITEM = JSON.stringify({ ActivityExecute: { instance: "i", input: '{"card":"4111"}' } });

  it.each<[string, ErrorDetails]>([
    [
      "of poison",
      {
        Poison: {
          attempt_count: 11,
          max_attempts: 10,
          message_type: { Orchestration: { instance: "i", execution_id: 1 } },
          message: `[${ITEM}]`,
        },
      },
    ],
    [
      "of a nondeterminism",
      {
        Configuration: {
          kind: "Nondeterminism",
          resource: "",
          message: 'schedule mismatch: the code asks for activity "a" with input {"card":"4111"}',
        },
      },
    ],
    [
      "of a parent that quotes its child",
      {
        Application: {
          kind: "OrchestrationFailed",
          message: 'nondeterministic: the code asks for activity "a" with input "4111"',
          retryable: false,
        },
      },
    ],
    [
      "with a text as data that is no JSON",
      {
        Application: {
          kind: "ActivityFailed",
          message: "m",
          retryable: false,
          thrown: { name: "E", data: '{"card":"4111' },
        },
      },
    ],
    [
      "with causes of causes",
      {
        Application: {
          kind: "ActivityFailed",
          message: "m",
          retryable: false,
          thrown: { name: "E", cause: { message: "c", errors: [{ message: "d", data: '{"card":"4111"}' }] } },
        },
      },
    ],
  ])("%s shows no payload", async (_what, details) => {
    expect(await detailsOf(details, byName)).not.toContain("4111");
  });

  it("whose message is replaced shows no data", async () => {
    const details: ErrorDetails = {
      Application: {
        kind: "ActivityFailed",
        message: "declined",
        retryable: false,
        thrown: { name: "E", data: '{"status":402}' },
      },
    };
    expect(
      await detailsOf(details, (path, value) => (path === "error.message" ? "•••" : value)),
    ).not.toContain("402");
    expect(await detailsOf(details, byName)).toContain("402");
  });
});

describe("a client whose reads are redacted", () => {
  const client = new Client(new MemoryProvider(), { logger: silentLogger });

  it("changes nothing", async () => {
    const shown = client.redacted(same);
    await client.start("a", { instanceId: "i" });
    const changes = [
      () => shown.start("a"),
      () => shown.handle("a", "i").raise("e", 1),
      () => shown.handle("a", "i").cancel(),
      () => shown.admin.delete("i", { force: true }),
      () => shown.admin.prune("i", { keepLast: 1 }),
    ];
    for (const change of changes) await expect(change()).rejects.toMatchObject({ code: "read-only" });
    expect(await client.admin.queueDepths()).toMatchObject({ orchestratorQueue: 1 });
  });

  it.each([undefined, null, /card/, {}, "card"])("is not made without a function: %s", (redact) => {
    expect(() => client.redacted(redact as never)).toThrow(InvalidInputError);
  });
});
