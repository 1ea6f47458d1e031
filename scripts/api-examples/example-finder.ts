/** The best example of each declaration of the packages, from all code that is shown or tested. */
import path from "node:path";
import type ts from "typescript";
import { excerptOf } from "./excerpt.ts";
import type { ShownCode } from "./shown-code.ts";
import { type Strength, Uses } from "./uses.ts";

export interface Example {
  readonly code: string;
  readonly shown: ShownCode;
}

interface Found {
  readonly shown: ShownCode;
  readonly source: ts.SourceFile;
  readonly node: ts.Node;
  readonly strength: Strength;
}

/** Uses of a declaration among which the shortest excerpt is looked for. */
const CANDIDATES = 12;

/** The contract of stores and what is stored. */
const OF_STORES = /\/packages\/core\/src\/(contract|wire|collections|redaction)\//;

export class ExampleFinder {
  readonly #found = new Map<ts.Declaration, Found[]>();
  readonly #program: ts.Program;
  readonly #root: string;

  constructor(root: string, program: ts.Program) {
    this.#root = root;
    this.#program = program;
  }

  add(shown: readonly ShownCode[]): void {
    for (const each of shown) {
      const source = this.#sourceOf(each);
      this.#uses(each, source).read(source, each.from, each.to);
    }
  }

  /** Adds uses of members with these names only: these programs are long, and many. */
  addNamed(shown: readonly ShownCode[], names: ReadonlySet<string>): void {
    for (const each of shown) {
      const source = this.#sourceOf(each);
      this.#uses(each, source).readNamed(source, names);
    }
  }

  exampleOf(declarations: readonly ts.Declaration[]): Example | undefined {
    const all = declarations.flatMap((each) => this.#found.get(each) ?? []);
    const order = ({ shown, strength }: Found): number => 10 * shown.rank + strength;
    const least = Math.min(...all.map(order));
    const candidates = all
      .filter((each) => order(each) === least)
      .slice(0, CANDIDATES)
      .map(({ source, node, shown }) => ({ code: excerptOf(source, node, shown), shown }));
    // What fails on purpose is the worst example.
    const length = ({ code }: Example): number =>
      code.length + (/\b(rejects|throws)\(/.test(code) ? 10_000 : 0);
    return candidates.toSorted((a, b) => length(a) - length(b))[0];
  }

  #sourceOf({ file }: ShownCode): ts.SourceFile {
    const source = this.#program.getSourceFile(path.join(this.#root, file).replaceAll("\\", "/"));
    if (source === undefined) throw new Error(`the compiler was not given ${file}`);
    return source;
  }

  #uses(shown: ShownCode, source: ts.SourceFile): Uses {
    const own = packageOf(source.fileName);
    return new Uses(this.#program.getTypeChecker(), (declaration, node, strength) => {
      const used = packageOf(declaration.getSourceFile().fileName);
      // How a package itself is made is no example of it, but what the runtime asks of a store is one for its author.
      if (used === undefined || (used === own && !OF_STORES.test(declaration.getSourceFile().fileName)))
        return;
      const list = this.#found.get(declaration);
      const found = { shown, source, node, strength };
      if (list === undefined) this.#found.set(declaration, [found]);
      else list.push(found);
    });
  }
}

/** The package of whose sources a file is one. */
export function packageOf(file: string): string | undefined {
  return /\/packages\/([^/]+)\/src\//.exec(file)?.[1];
}
