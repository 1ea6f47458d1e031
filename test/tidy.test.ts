/**
 * Rules that protect correctness rather than taste, and that no other tool checks. A failure says what to do. The
 * rules have no lists of exceptions, except where one place must do what the others must not.
 */
import path from "node:path";
import { describe, expect, it } from "vitest";
import { anchorOf, firstColumnUnder, headingsOf, linksOf, sectionNumbersOf } from "./tidy/markdown.ts";
import { exists, listFiles, listPackages, listShippedSources, read } from "./tidy/repository.ts";
import { importsOf, membersOfUnion, usesOf } from "./tidy/source.ts";

/** One message for all that was found, so that a failure shows the whole work to do. */
function expectNone(problems: readonly string[], advice: string): void {
  if (problems.length > 0) expect.fail(`${advice}\n  ${problems.join("\n  ")}\n`);
}

/** The local endpoint stands on nothing of ours, so it has a clock of its own. */
const READS_GLOBALS: ReadonlySet<string> = new Set([
  "packages/core/src/host/originals.ts",
  "packages/core/src/host/browser.ts",
  "packages/cosmos-emulator/src/system.ts",
]);

/** The clock of the machine, and what happens after the last runtime has gone with its clock. */
const HAS_TIMERS: ReadonlySet<string> = new Set([
  "packages/core/src/contract/clock.ts",
  "packages/core/src/guard/replace.ts",
]);

/** Whether the file has the name from the module of originals, or from the entry that shows it to other packages. */
function importsOriginal(file: string, name: string): boolean {
  const imports = read(file).matchAll(
    /^(?:import|export) \{([^}]*)\} from "(?:[^"]*\/originals\.ts|@duroxide-ts\/core\/stores)";/gm,
  );
  return [...imports].some(([, names = ""]) => names.split(",").some((each) => each.trim() === name));
}

describe("shipped sources", () => {
  // turn.T1
  it("read the clock, wait and draw random numbers through Clock and Random only", () => {
    const names = new Set([
      "Date.now",
      "Math.random",
      "performance.now",
      "setTimeout",
      "setInterval",
      "crypto.randomUUID",
    ]);
    const problems = listShippedSources()
      .filter((file) => !READS_GLOBALS.has(file) && !HAS_TIMERS.has(file))
      .flatMap((file) => usesOf(file, names).map(({ name, line }) => `${file}:${line} uses ${name}`));
    expectNone(problems, "Take a Clock or a Random as a parameter (docs/decisions/time-and-tests.md):");
  });

  it("name no file beside them where a bundler would look for it", () => {
    const problems = listShippedSources()
      .filter(
        (file) => /^packages\/(?:core|sqlite|cosmos)\//.test(file) && /new URL\(["'`]\./.test(read(file)),
      )
      .map((file) => `${file} has new URL("…") with a relative path`);
    expectNone(problems, "Take the folder from the text of import.meta.url (core's errors/stack-frames.ts):");
  });

  it("take what fake timers of a test may replace from one module, which reads it once", () => {
    const names = new Set([
      "setImmediate",
      "clearTimeout",
      "queueMicrotask",
      "process.nextTick",
      "AbortSignal.timeout",
    ]);
    const problems = listShippedSources()
      .filter((file) => !READS_GLOBALS.has(file))
      .flatMap((file) => {
        const uses = usesOf(file, names).filter(({ name }) => !importsOriginal(file, name));
        const modules = importsOf(file).filter(({ specifier }) =>
          /^node:(timers|perf_hooks)/.test(specifier),
        );
        return [
          ...uses.map(({ name, line }) => `${file}:${line} uses ${name}`),
          ...modules.map(({ specifier }) => `${file} imports ${specifier}`),
        ];
      });
    expectNone(problems, "Import it from packages/core/src/host/originals.ts:");
  });

  it("do not write to the console", () => {
    const problems = listShippedSources()
      .filter((file) => file !== "packages/core/src/define/stderr-logger.ts")
      .flatMap((file) => usesOf(file, new Set(["console"])).map(({ line }) => `${file}:${line}`));
    expectNone(
      problems,
      "Log through the Logger that the user handed in; one file writes to stderr for those who gave none:",
    );
  });

  it("stay short enough to read", () => {
    const problems = listShippedSources()
      .map((file) => ({ file, lines: read(file).trimEnd().split("\n").length }))
      .filter(({ lines }) => lines > 400)
      .map(({ file, lines }) => `${file} has ${lines} lines`);
    expectNone(
      problems,
      "A file of more than 400 lines usually holds two subjects: find the second subject and move it out:",
    );
  });
});

interface Manifest {
  readonly main?: string;
  readonly types?: string;
  readonly exports: { readonly "."?: { readonly types: string; readonly default: string } };
}

describe("packages", () => {
  it("name their main entry twice, because resolvers of CommonJS projects read no exports", () => {
    const problems = listPackages().filter((name) => {
      const { main, types, exports } = JSON.parse(read(`packages/${name}/package.json`)) as Manifest;
      return main !== exports["."]?.default || types !== exports["."]?.types;
    });
    expectNone(problems, 'Give main and types the files of exports["."]:');
  });

  it("say the name of each entry, which the reference of the documentation site shows", () => {
    const { entryPoints } = JSON.parse(read("typedoc.json")) as { readonly entryPoints: readonly string[] };
    const problems = entryPoints.filter((entry) => !/^ \* @module @duroxide-ts\//m.test(read(entry)));
    expectNone(problems, "Say the name in the first comment, such as @module @duroxide-ts/core/client:");
  });

  /** Packages of ours on which each package may depend. The arrows point one way (ARCHITECTURE.md). */
  const MAY_DEPEND_ON: Readonly<Record<string, readonly string[]>> = {
    core: [],
    sqlite: ["core"],
    cosmos: ["core"],
    "provider-tests": ["core"],
    "cosmos-emulator": [],
    dashboard: ["core"],
    http: ["core"],
    ai: ["core"],
    "eslint-plugin": [],
    create: [],
    cli: ["core", "http", "sqlite"],
  };

  const dependenciesOf = (name: string): string[] => {
    const manifest = JSON.parse(read(`packages/${name}/package.json`)) as {
      dependencies?: Record<string, string>;
    };
    return Object.keys(manifest.dependencies ?? {})
      .filter((dependency) => dependency.startsWith("@duroxide-ts/"))
      .map((dependency) => dependency.slice("@duroxide-ts/".length));
  };
  const referencesOf = (config: string): string[] => {
    const { references } = JSON.parse(read(config)) as { references?: { path: string }[] };
    return (references ?? []).map((reference) => path.basename(reference.path));
  };

  it("depend on each other in one direction only", () => {
    const problems = listPackages().flatMap((name) => {
      const allowed = MAY_DEPEND_ON[name];
      if (allowed === undefined)
        return [`packages/${name} is not in the table of this test: give it its place`];
      const wrong = dependenciesOf(name).filter((dependency) => !allowed.includes(dependency));
      return wrong.map((dependency) => `packages/${name} depends on ${dependency}`);
    });
    expectNone(problems, "Turn the dependency round, or pass what is needed as a parameter:");
  });

  it("are built in the order of their dependencies", () => {
    const problems = listPackages().flatMap((name) => {
      const missing = dependenciesOf(name).filter(
        (it) => !referencesOf(`packages/${name}/tsconfig.json`).includes(it),
      );
      const listed = referencesOf("tsconfig.json").includes(name);
      return [
        ...missing.map((it) => `packages/${name}/tsconfig.json lacks { "path": "../${it}" }`),
        ...(listed ? [] : [`tsconfig.json lacks { "path": "packages/${name}" }`]),
      ];
    });
    expectNone(problems, "Add the project references, so that `tsc -b` builds what is needed:");
  });

  it("ship a README and the licence of the repository", () => {
    const licence = read("LICENSE");
    const problems = listPackages().flatMap((name) => [
      ...(exists(`packages/${name}/README.md`) ? [] : [`packages/${name} has no README.md`]),
      ...(exists(`packages/${name}/LICENSE`) && read(`packages/${name}/LICENSE`) === licence
        ? []
        : [`packages/${name}/LICENSE is not LICENSE`]),
    ]);
    expectNone(problems, "npm packs both files from the folder of the package:");
  });

  it("are locked without the address of a registry", () => {
    const resolved = [...read("package-lock.json").matchAll(/"resolved": "(https?:[^"]+)"/g)].map(
      (match) => match[1] ?? "",
    );
    expectNone(resolved, "Install with the repository's .npmrc, so that the lock file serves every mirror:");
  });
});

describe("documentation", () => {
  const pages = listFiles("", ".md");

  it("links to files and headings that exist", () => {
    const problems = pages.flatMap((page) =>
      linksOf(read(page))
        .filter(({ target }) => !/^[a-z]+:/.test(target))
        .filter(({ target }) => !linkResolves(page, target))
        .map(({ target, line }) => `${page}:${line} links to ${target}`),
    );
    expectNone(problems, "Mend or remove the links:");
  });

  it("has the pages and sections that the sources cite", () => {
    const sources = ["packages", "examples", "benchmarks", "scripts"].flatMap((folder) =>
      listFiles(folder, ".ts"),
    );
    const problems = sources.flatMap((file) =>
      citationsIn(read(file)).flatMap((it) => whatIsMissing(it, file)),
    );
    expectNone(
      problems,
      "Write the page, or mend the citation (docs/reference/x.md §1.2, docs/decisions/time-and-tests.md):",
    );
  });

  /** Every family of error codes, and the heading in docs/errors.md under which its table stands. */
  const FAMILIES = [
    {
      file: "packages/core/src/contract/provider-error.ts",
      union: "ProviderErrorCode",
      heading: "Provider errors",
    },
    {
      file: "packages/core/src/errors/duroxide-error.ts",
      union: "DuroxideErrorCode",
      heading: "Errors of orchestrations, the client and the runtime",
    },
    {
      file: "packages/cosmos/src/document-leases/document-lease-error.ts",
      union: "DocumentLeaseErrorCode",
      heading: "Errors of document leases",
    },
  ];

  it.each(FAMILIES)("explains every $union, and no other", ({ file, union, heading }) => {
    const codes = membersOfUnion(file, union);
    const documented = firstColumnUnder(read("docs/errors.md"), heading);
    expect(codes, `${file} has no union of strings named ${union}`).not.toEqual([]);
    const problems = [
      ...codes.filter((code) => !documented.includes(code)).map((code) => `"${code}" is not explained`),
      ...documented
        .filter((code) => !codes.includes(code))
        .map((code) => `"${code}" does not exist in the code`),
    ];
    expectNone(problems, `Bring the table "${heading}" of docs/errors.md in line with ${union}:`);
  });
});

function linkResolves(page: string, target: string): boolean {
  const [file = "", anchor] = target.split("#");
  const linked = file === "" ? page : path.posix.join(path.posix.dirname(page), file);
  if (!exists(linked)) return false;
  return anchor === undefined || headingsOf(read(linked)).map(anchorOf).includes(anchor);
}

interface Citation {
  readonly page: string;
  readonly sections: readonly string[];
}

const SECTIONS = /((?:,?\s*(?:and\s+|to\s+)?§\d+(?:\.\d+)*)*)/.source;

const REFERENCES = listFiles("docs/reference", ".md").map((file) => file.slice("docs/reference/".length, -3));

/**
 * `docs/…` paths in comments, each with the section numbers that follow it, across a line break too. A page of the
 * reference may also be cited by its bare name: `runtime-semantics §1.2`.
 */
function citationsIn(source: string): Citation[] {
  const text = source.replaceAll(/\n\s*\*\s?/g, " ").replaceAll(/\n\s*\/\/\s?/g, " ");
  const byPath = [
    ...text.matchAll(
      new RegExp(`\\bdocs/((?:cosmos|decisions|guide|reference)/[\\w./-]*\\w|[a-z-]+\\.md)${SECTIONS}`, "g"),
    ),
  ];
  const byName = [
    ...text.matchAll(new RegExp(`(?<![\\w/-])(${REFERENCES.join("|")})(?=\\s§)${SECTIONS}`, "g")),
  ];
  return [
    ...byPath.map((match) => citation(`docs/${match[1]}`, match[2])),
    ...byName.map((match) => citation(`docs/reference/${match[1]}.md`, match[2])),
  ];
}

function citation(page: string, sections: string | undefined): Citation {
  return {
    page,
    sections: [...(sections ?? "").matchAll(/§([\d.]*\d)/g)].map((section) => section[1] ?? ""),
  };
}

function whatIsMissing({ page, sections }: Citation, file: string): string[] {
  if (!exists(page)) return [`${file} cites ${page}, which does not exist`];
  const present = sectionNumbersOf(read(page));
  return sections
    .filter((section) => !present.has(section))
    .map((section) => `${file} cites ${page} §${section}, but the page has no such section`);
}
