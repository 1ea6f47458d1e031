/**
 * The names that each entry of each package exports are those of entries.txt, so that a change of them is seen in
 * review. After a change `npm test -- test/tidy -u` writes the file.
 */
import { expect, it } from "vitest";
import { listPackages, read } from "./repository.ts";
import { exportsOf, undocumentedIn } from "./source.ts";

it("every entry exports the names that are listed", async () => {
  const listed = listPackages().flatMap((name) =>
    entriesOf(name).map(
      ({ entry, file }) =>
        `${entry}\n${exportsOf(file)
          .sort()
          .map((it) => `  ${it}\n`)
          .join("")}`,
    ),
  );
  await expect(listed.join("\n")).toMatchFileSnapshot("./entries.txt");
});

it("compilers that do not read exports find the types of every entry", () => {
  for (const name of listPackages()) {
    const manifest = JSON.parse(read(`packages/${name}/package.json`)) as {
      readonly exports: Readonly<Record<string, { readonly types?: string }>>;
      readonly typesVersions?: { readonly "*": Readonly<Record<string, readonly string[]>> };
    };
    const inExports = Object.entries(manifest.exports).flatMap(([entry, { types }]) =>
      entry === "." || types === undefined ? [] : [[entry.slice("./".length), [types]]],
    );
    expect(manifest.typesVersions?.["*"] ?? {}, name).toEqual(Object.fromEntries(inExports));
  }
});

it("the reference of the documentation site has every entry that is shipped, and requires comments in it", () => {
  const { entryPoints, packagesRequiringDocumentation } = JSON.parse(read("typedoc.json")) as {
    readonly entryPoints: readonly string[];
    readonly packagesRequiringDocumentation: readonly string[];
  };
  const shipped = listPackages().flatMap((name) => entriesOf(name).filter(({ isShipped }) => isShipped));
  expect([...entryPoints].sort()).toEqual(shipped.map(({ file }) => file).sort());
  expect([...packagesRequiringDocumentation].sort()).toEqual(
    listPackages()
      .filter((name) => entriesOf(name).length > 0)
      .map((name) => `@duroxide-ts/${name}`)
      .sort(),
  );
});

it("every name of an entry that is shipped has a comment, which the reference of the site requires", () => {
  const files = listPackages().flatMap((name) => entriesOf(name).filter(({ isShipped }) => isShipped));
  const missing = files.flatMap(({ entry, file }) => undocumentedIn(file).map((name) => `${entry}: ${name}`));
  expect(missing).toEqual([]);
});

it("@duroxide-ts/core has no name of the wire format or the contract that users do not meet", () => {
  const names = exportsOf("packages/core/src/index.ts");
  const ofStores = exportsOf("packages/core/src/stores/index.ts");
  expect(names.filter((name) => ofStores.includes(name)).sort()).toEqual(SHARED);
});

/** Names that a program meets in results, options and errors, and that a store implements. */
const SHARED: readonly string[] = [
  "Blocked",
  "BulkOptions",
  "CountKey",
  "DeadLetter",
  "DeadLetterPage",
  "DeadLetterQuery",
  "DeleteOptions",
  "DeleteResult",
  "ErrorCategory",
  "ErrorDetails",
  "EventOf",
  "ExecutionInfo",
  "ExecutionStatus",
  "FailureCategory",
  "HistoryEvent",
  "InstanceCount",
  "InstanceCounts",
  "InstanceFailure",
  "InstanceFilter",
  "InstanceInfo",
  "InstanceQuery",
  "InstanceQueryPage",
  "InstanceStats",
  "InstanceSummary",
  "LimitRule",
  "ListedStatus",
  "Provider",
  "ProviderError",
  "ProviderErrorCode",
  "PruneOptions",
  "PruneResult",
  "QueryCost",
  "QueueDepths",
  "QueuedWork",
  "StreamInfo",
  "Suspended",
  "SystemMetrics",
  "TagConditions",
  "TagFilter",
  "TagRange",
  "TagValue",
  "Tags",
  "WorkKind",
  "WorkPage",
  "WorkQuery",
  "Worker",
  "WorkerReport",
  "WorkerSlots",
  "errorCategory",
  "sleep",
  "stderrLogger",
  "systemClock",
  "systemRandom",
];

interface Entry {
  /** Specifier of the import. */
  readonly entry: string;
  readonly file: string;
  /** Others are for the repository only. */
  readonly isShipped: boolean;
}

function entriesOf(name: string): Entry[] {
  const manifest = JSON.parse(read(`packages/${name}/package.json`)) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  };
  return Object.entries(manifest.exports).flatMap(([entry, target]) => {
    if (typeof target === "string") return [];
    const { "@duroxide-ts/source": file, default: isShipped } = target;
    if (file === undefined) return [];
    return [
      {
        entry: `${manifest.name}${entry.slice(1)}`,
        file: `packages/${name}/${file.slice(2)}`,
        isShipped: isShipped !== undefined,
      },
    ];
  });
}
