/** A secret in every place of a store: no route shows what `redact` replaces, and none finds it. */
import { Client, type Provider, ProviderError, silentLogger } from "@duroxide-ts/core";
import { encryptedCodec } from "@duroxide-ts/core/codecs";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { fillWithSecrets, INSTANCES, PROSE, SECRET } from "../../../../test/support/secrets.ts";
import {
  type DashboardHandler,
  type DashboardOptions,
  type DashboardUser,
  dashboard,
} from "../../src/index.ts";
import { READ_ROUTES } from "../../src/routes/routes.ts";
import { openStore, storesOfRun, type TestStore } from "../support/stores.ts";

type Redact = NonNullable<DashboardOptions["redact"]>;

/** Redactions with the secrets that each hides: in payloads and properties, and in texts without parts. */
const REDACTIONS: readonly (readonly [string, Redact, readonly RegExp[]])[] = [
  ["members by name", (path, value) => (/\.(card|iban)$/.test(path) ? "•••" : value), [SECRET]],
  [
    "every place that the page lists",
    (path, value) =>
      /^(input|result|output|status|kv\.|event\.|queue\.|error\.message|error\.stack|deadLetter)/.test(path)
        ? "•••"
        : value,
    [SECRET, PROSE],
  ],
  ["messages only", (path, value) => (path === "error.message" ? "•••" : value), [PROSE]],
  [
    "the content of texts",
    (_path, value) => (typeof value === "string" ? value.replace(/(S3CRET|PR0SE)-[\w-]+/g, "•••") : value),
    [SECRET, PROSE],
  ],
  ["the value in place", inPlace, [SECRET]],
  [
    "nothing, because it throws",
    () => {
      throw new Error("no rules");
    },
    [SECRET, PROSE],
  ],
  ["nothing, because it returns undefined", () => undefined, [SECRET, PROSE]],
  ["nothing, because it is asynchronous", async (_path, value) => value, [SECRET, PROSE]],
];

function inPlace(_path: string, value: unknown): unknown {
  if (typeof value === "object" && value !== null && "card" in value) value.card = "•••";
  return value;
}

const UNREADABLE = [
  '{"Unheard":{"instance":"dead-1","input":"{\\"card\\":\\"S3CRET-dead\\"}"}}',
  '{"ActivityExecute":{"instance":"dead-2","input":"{\\"card\\":\\"S3CRET-cut',
];

/** Routes about one instance. Each of the others is asked once. */
const ABOUT_ONE = [
  "instance",
  "timeline",
  "call",
  "history",
  "payload",
  "state",
  "children",
  "export",
  "waits",
];

/** Every route, of every instance, execution, call and event. */
async function pathsOf(client: Client): Promise<readonly string[]> {
  const others = [...READ_ROUTES.keys()].filter((route) => !ABOUT_ONE.includes(route));
  const paths = ["", "instances", "health", "metrics", ...others.map((route) => `api/${route}`)];
  for (const id of INSTANCES) {
    for (const execution of await client.admin.executions(id)) {
      const query = `id=${id}&execution=${execution}`;
      paths.push(...ABOUT_ONE.map((route) => `api/${route}?${query}`));
      for (const { event_id, source_event_id } of await client.admin.history(id, execution)) {
        paths.push(`api/payload?${query}&event=${event_id}`);
        if (source_event_id !== null) continue;
        paths.push(`api/call?${query}&step=${event_id}`, `api/payload?${query}&event=${event_id}&part=data`);
        for (const part of ["input", "output"])
          paths.push(`api/payload?${query}&step=${event_id}&part=${part}`);
      }
    }
  }
  return paths;
}

interface Look {
  readonly secrets: readonly string[];
  /** Statuses of the answers, in the order of the paths. */
  readonly statuses: readonly number[];
}

async function look(
  handler: DashboardHandler,
  paths: readonly string[],
  secrets: readonly RegExp[],
): Promise<Look> {
  const seen = new Set<string>();
  const statuses: number[] = [];
  for (const path of paths) {
    const response = await handler(new Request(`http://ops.example/${path}`));
    statuses.push(response.status);
    const text = await response.text();
    for (const pattern of secrets)
      for (const [secret] of text.matchAll(pattern)) seen.add(`${secret} by ${path}`);
  }
  return { secrets: [...seen].sort(), statuses };
}

function act(handler: DashboardHandler, path: string, body: object): Promise<Response> {
  const headers = {
    origin: "http://ops.example",
    "content-type": "application/json",
    "x-duroxide-action": "1",
  };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  return handler(new Request(`http://ops.example/api/${path}`, init));
}

/** A store that quotes the history which it cannot decode. */
function unreadable(provider: Provider): Provider {
  const read = (): Promise<never> =>
    Promise.reject(
      new ProviderError({
        code: "corrupt-data",
        operation: "readHistory",
        message: 'unknown "S3CRET-quoted"',
      }),
    );
  return new Proxy(provider, {
    get(target, name) {
      if (name === "readHistory") return read;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** The cost of a read has the requests of others in it. */
function withoutCost(text: string): string {
  return text.replace(/,"requestUnits":[\d.]+/, "");
}

describe.each(storesOfRun(1))("on %s", (name) => {
  let store: TestStore;
  let paths: readonly string[] = [];
  beforeAll(async () => {
    store = await openStore(name);
    const { provider } = store;
    for (const [n, text] of UNREADABLE.entries()) await store.putMessages([`dead-${n + 1}`], text);
    const letters = async (): Promise<number> =>
      (await provider.admin.listDeadLetters())?.deadLetters.length ?? 0;
    while ((await letters()) < UNREADABLE.length)
      await provider.fetchOrchestrationItem({ lockTimeoutMs: 5_000, pollTimeoutMs: 0 });
    await fillWithSecrets(provider);
    paths = await pathsOf(new Client(provider));
  });
  afterAll(() => store[Symbol.asyncDispose]());

  const handlerOf = (
    redact: Redact | undefined,
    more: Partial<DashboardUser & DashboardOptions> = {},
  ): DashboardHandler => {
    const { role = "operator", user = "ada", ...options } = more;
    return dashboard({
      provider: store.provider,
      logger: silentLogger,
      authorize: () => ({ user, role }),
      ...(redact !== undefined && { redact }),
      ...options,
    });
  };

  let shown: Look;
  it("a dashboard without redact shows a secret of every place, so that the tests below mean something", async () => {
    shown = await look(handlerOf(undefined), paths, [SECRET, PROSE]);
    const places = shown.secrets.map((text) => text.split(" ")[0]);
    expect([...new Set(places)].sort()).toMatchInlineSnapshot(`
      [
        "PR0SE-aggregate",
        "PR0SE-cancel",
        "PR0SE-cause-again",
        "PR0SE-cause-alone",
        "PR0SE-cause-first",
        "PR0SE-cause-of-child",
        "PR0SE-cause-of-code",
        "PR0SE-cause-patient",
        "PR0SE-cause-second",
        "PR0SE-message-again",
        "PR0SE-message-alone",
        "PR0SE-message-first",
        "PR0SE-message-of-child",
        "PR0SE-message-of-code",
        "PR0SE-message-patient",
        "PR0SE-message-second",
        "PR0SE-misfit",
        "PR0SE-pause",
        "PR0SE-retry",
        "PR0SE-suspend",
        "PR0SE-terminate",
        "S3CRET-activity",
        "S3CRET-asked",
        "S3CRET-carried",
        "S3CRET-cause-again",
        "S3CRET-cause-alone",
        "S3CRET-cause-first",
        "S3CRET-cause-of-child",
        "S3CRET-cause-of-code",
        "S3CRET-cause-patient",
        "S3CRET-cause-second",
        "S3CRET-child",
        "S3CRET-child-output",
        "S3CRET-cut",
        "S3CRET-dead",
        "S3CRET-detached",
        "S3CRET-entry",
        "S3CRET-event",
        "S3CRET-input",
        "S3CRET-json-in-json",
        "S3CRET-json-in-property-again",
        "S3CRET-json-in-property-alone",
        "S3CRET-json-in-property-first",
        "S3CRET-json-in-property-of-child",
        "S3CRET-json-in-property-of-code",
        "S3CRET-json-in-property-patient",
        "S3CRET-json-in-property-second",
        "S3CRET-kept",
        "S3CRET-output",
        "S3CRET-property-again",
        "S3CRET-property-alone",
        "S3CRET-property-first",
        "S3CRET-property-of-child",
        "S3CRET-property-of-code",
        "S3CRET-property-patient",
        "S3CRET-property-second",
        "S3CRET-queue",
        "S3CRET-quoted",
        "S3CRET-set-aside",
        "S3CRET-status",
        "S3CRET-status-of-round-0",
        "S3CRET-status-of-round-1",
        "S3CRET-unread-event",
        "S3CRET-unread-message",
      ]
    `);
  });

  it.each(REDACTIONS)("a redact of %s hides them from every route", async (_what, redact, secrets) => {
    const { secrets: leaks, statuses } = await look(handlerOf(redact), paths, secrets);
    expect(leaks).toEqual([]);
    expect(statuses).toEqual(shown.statuses);
  });

  it("a redact that replaces nothing changes no answer but those that quote without a path", async () => {
    const same = handlerOf((_path, value) => value);
    const plain = handlerOf(undefined);
    for (const path of paths.filter((it) => /^api\/(call|history|payload|export)\?id=full/.test(it))) {
      const [one, other] = await Promise.all(
        [same, plain].map(async (handler) =>
          withoutCost(await (await handler(new Request(`http://ops.example/${path}`))).text()),
        ),
      );
      expect(one).toBe(other);
    }
  });

  it("an action on a history that cannot be read tells nothing of it", async () => {
    const act1 = async (redact: Redact | undefined): Promise<string> => {
      const handler = dashboard({
        provider: unreadable(store.provider),
        logger: silentLogger,
        authorize: () => ({ user: "ada", role: "operator" }),
        ...(redact !== undefined && { redact }),
      });
      const one = await act(handler, "act", { verb: "retry", id: "full" });
      expect(one.status).toBe(503);
      const many = await act(handler, "bulk", { verb: "retry", ids: ["full"] });
      return (await one.text()) + (await many.text());
    };
    expect((await act1(undefined)).match(SECRET)).toHaveLength(2);
    expect((await act1((_path, value) => value)).match(SECRET)).toBeNull();
  });

  it.each(["viewer", "operator"] as const)(
    "a %s finds nothing by a text that may be hidden",
    async (role) => {
      const redact: Redact = (path, value) => (path === "error.message" ? "•••" : value);
      const handler = handlerOf(redact, { role });
      const statuses = ["count", "instances"].map(async (route) => {
        const response = await handler(new Request(`http://ops.example/api/${route}?error=PR0SE-message-a`));
        expect(await response.text()).not.toMatch(/"count"|"rows"/);
        return response.status;
      });
      expect(await Promise.all(statuses)).toEqual([400, 400]);
      const body = { verb: "suspend", reason: "x", filter: { error: "PR0SE-message-a" } };
      expect((await act(handler, "bulk", body)).status).toBe(role === "viewer" ? 403 : 400);
    },
  );

  it("an action stores again what is stored, not what is shown", async () => {
    const handler = handlerOf(() => "•••");
    expect((await act(handler, "act", { verb: "restart", id: "terminated", reason: "again" })).status).toBe(
      200,
    );
    const exported = await handlerOf(undefined)(new Request("http://ops.example/api/export?id=terminated"));
    const events = (await exported.json()) as readonly object[];
    const output = JSON.stringify(events.at(-1));
    expect(output).toContain("S3CRET-input");
    expect(output).not.toContain("•••");
  });

  it("no action is refused with a text that may be hidden", async () => {
    const handler = handlerOf(() => "•••");
    const acts = ["retry", "resume"].flatMap((verb) => [
      ...INSTANCES.map((id) => ["act", { verb, id, reason: "again" }] as const),
      ["bulk", { verb, ids: INSTANCES, reason: "again" }] as const,
    ]);
    const rewinds = INSTANCES.map((id) => ["rewind", { id, toEvent: 999, reason: "again" }] as const);
    const answers: string[] = [];
    for (const [path, body] of [...acts, ...rewinds])
      answers.push(await (await act(handler, path, body)).text());
    expect(answers.join("\n")).toContain("its code failed");
    expect(answers.join("\n")).not.toMatch(/S3CRET|PR0SE/);
  });

  it("the log says once a minute that redact fails, without what it was given", async () => {
    const warnings: unknown[][] = [];
    const logger = { ...silentLogger, warn: (...entry: unknown[]) => warnings.push(entry) };
    const handler = handlerOf(
      (_path, value) => {
        throw new Error(String(value));
      },
      { logger },
    );
    await look(handler, paths, [SECRET]);
    expect(warnings.length).toBeLessThanOrEqual(2);
    expect(warnings[0]).toEqual([{ event: "redact_failed" }, expect.stringContaining("a value is hidden")]);
    expect(JSON.stringify(warnings)).not.toMatch(/S3CRET|PR0SE/);
  });
});

describe("on a store whose payloads are encrypted", () => {
  const codec = encryptedCodec({ keys: [{ id: "a", key: new Uint8Array(32).fill(7) }] });
  const provider = new MemoryProvider();
  beforeAll(() => fillWithSecrets(provider, codec));
  const byName: Redact = (path, value) => (/\.card$/.test(path) ? "•••" : value);

  it.each([
    ["the store and the codec", { provider, codec }],
    ["a client with the codec, and the codec", { client: new Client(provider, { codec }), codec }],
    ["a client without the codec, and the codec", { client: new Client(provider), codec }],
    ["a client with the codec", { client: new Client(provider, { codec }) }],
  ])("a dashboard that is given %s shows no secret that redact replaces", async (_what, given) => {
    const authorize = () => ({ user: "ada", role: "viewer" }) as const;
    const handler = dashboard({ ...given, redact: byName, logger: silentLogger, authorize });
    expect((await look(handler, await pathsOf(new Client(provider)), [SECRET])).secrets).toEqual([]);
  });
});
