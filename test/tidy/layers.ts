/**
 * The layers of every package as one table (docs/decisions/0030-layers-as-a-table.md). layers.test.ts compares the
 * sources with it.
 */

/** A folder or file of `src`, and what it may import of its package. */
export type Layers = Readonly<Record<string, string>>;

/**
 * By package. A row names rows above it only; "*" is all of them. A folder within a folder may have a row of its
 * own, and is not covered by the row of the outer folder then.
 */
export const LAYERS: Readonly<Record<string, Layers>> = {
  core: {
    collections: "",
    wire: "",
    errors: "wire",
    options: "errors",
    guard: "errors",
    contract: "wire options",
    define: "wire errors options contract",
    payload: "collections errors define",
    "replay/replay-failure.ts": "wire errors",
    "replay/calls": "wire errors define payload",
    "replay/history": "collections wire errors contract define replay/replay-failure.ts replay/calls",
    "replay/code":
      "collections wire errors guard contract define payload replay/replay-failure.ts replay/calls replay/history",
    "replay/context": "errors options guard define payload replay/calls replay/code",
    "replay/turn.ts":
      "wire errors contract replay/replay-failure.ts replay/calls replay/history replay/code replay/context",
    verbs: "wire errors contract replay/calls replay/history",
    observe: "wire errors contract define",
    runtime:
      "collections wire errors options guard contract define payload replay/calls replay/history replay/code replay/turn.ts observe",
    timeline: "wire contract define replay/calls",
    client: "wire errors options contract define payload replay/calls replay/history verbs observe timeline",
    codecs: "errors options payload",
    offload: "wire errors options contract define",
    stores: "collections wire options contract define",
    testing: "*",
    "index.ts": "wire errors options contract define payload observe runtime timeline client",
  },
  sqlite: {
    connection: "",
    schema: "connection",
    rows: "connection",
    commit: "connection rows",
    storing: "connection rows commit",
    fetching: "connection commit",
    work: "connection rows",
    turn: "rows commit storing fetching",
    "store.ts": "connection commit fetching",
    admin: "connection rows commit storing turn store.ts",
    operations: "connection rows commit storing fetching work turn",
    "provider.ts": "*",
    "index.ts": "connection admin provider.ts",
  },
  cosmos: {
    documents: "",
    service: "documents",
    "document-leases": "service",
    connection: "service",
    memory: "documents",
    leases: "documents service memory",
    "fetching/slots": "documents service memory",
    fetching: "documents service memory leases fetching/slots",
    commit: "documents service memory leases fetching",
    delivering: "documents service memory leases fetching fetching/slots commit",
    admin: "documents service memory leases commit",
    operations: "documents service memory leases fetching fetching/slots commit delivering admin",
    "provider.ts": "service connection memory fetching fetching/slots delivering admin operations",
    "index.ts": "documents service connection provider.ts",
  },
  "cosmos-emulator": {
    protocol: "",
    explorer: "",
    sql: "protocol",
    engine: "protocol sql",
    scripts: "protocol",
    gateway: "protocol sql engine scripts",
    "system.ts": "",
    "option-names.ts": "",
    "certificate.ts": "",
    "options.ts": "system.ts option-names.ts gateway",
    "endpoint.ts": "options.ts engine scripts gateway",
    "in-process-endpoint.ts": "options.ts endpoint.ts gateway",
    "emulator.ts": "system.ts certificate.ts options.ts endpoint.ts explorer gateway",
    "cli-arguments.ts": "options.ts",
    "cli.ts": "cli-arguments.ts emulator.ts",
    "index.ts": "protocol gateway options.ts endpoint.ts in-process-endpoint.ts emulator.ts",
  },
  cli: {
    text: "",
    errors: "text",
    terminal: "text errors",
    output: "text errors terminal",
    store: "errors",
    command: "errors output terminal store",
    instances: "text errors output terminal store command",
    doctor: "text output store instances",
    mcp: "output store instances doctor",
    completion: "command",
    transfer: "errors store",
    verbs: "*",
    "version.ts": "",
    "verb-table.ts": "command verbs",
    "help.ts": "command verb-table.ts",
    "start-call.ts": "command output store terminal version.ts",
    "run-command.ts": "errors command version.ts verb-table.ts help.ts start-call.ts",
    "main.ts": "run-command.ts",
    "index.ts": "store",
  },
  "provider-tests": {
    "check.ts": "",
    "factory.ts": "",
    "time.ts": "",
    "context.ts": "check.ts factory.ts time.ts",
    "case.ts": "context.ts",
    "messages.ts": "",
    "steps.ts": "context.ts messages.ts",
    "storage-faults.ts": "factory.ts",
    "boundary-faults.ts": "factory.ts storage-faults.ts",
    "run-case.ts": "check.ts factory.ts time.ts context.ts case.ts boundary-faults.ts",
    catalogue: "case.ts context.ts messages.ts steps.ts",
    beyond: "case.ts context.ts messages.ts steps.ts catalogue",
    model: "factory.ts case.ts context.ts messages.ts run-case.ts",
    stress: "factory.ts messages.ts",
    "provider-cases.ts": "case.ts catalogue beyond model",
    "building-blocks.ts": "context.ts messages.ts steps.ts",
    "node-test.ts": "factory.ts case.ts provider-cases.ts run-case.ts",
    "vitest.ts": "factory.ts case.ts provider-cases.ts run-case.ts",
    "index.ts": "*",
  },
};

/** Entries of our packages that the sources of a package may import. */
export const ENTRIES: Readonly<Record<string, readonly string[]>> = {
  core: [],
  sqlite: ["@duroxide-ts/core", "@duroxide-ts/core/stores"],
  cosmos: ["@duroxide-ts/core", "@duroxide-ts/core/stores"],
  "provider-tests": ["@duroxide-ts/core", "@duroxide-ts/core/stores", "@duroxide-ts/core/testing"],
  "cosmos-emulator": [],
  cli: [
    "@duroxide-ts/core",
    "@duroxide-ts/core/stores",
    "@duroxide-ts/core/testing",
    "@duroxide-ts/sqlite",
    "@duroxide-ts/cosmos",
    "@duroxide-ts/provider-tests",
  ],
};

/** What breaks a rule today and is being mended. Nothing is added here; a row that is not needed fails the test. */
export const NOT_YET: { readonly circles: readonly string[]; readonly arrows: readonly string[] } = {
  circles: [],
  arrows: [],
};
