/**
 * The handlers of a runtime, and the version of an orchestration that a start gets. A version is chosen once, when the
 * execution begins; history then names it, so a newer version that is registered later does not change what runs.
 */
import type { FetchOrchestrationOptions } from "../contract/provider.ts";
import type { AnyActivity } from "../define/definition-types.ts";
import type { AnyOrchestration } from "../define/orchestration-context.ts";
import { ConfigurationError } from "../errors/duroxide-error.ts";
import { programOf } from "../wire/known-code.ts";
import { SCHEDULE_ORCHESTRATION, SCHEDULE_VERSION } from "../wire/scheduled.ts";
import { compareSemver, parseSemver, type Semver } from "../wire/version.ts";

/** Per orchestration name: the newest version, or exactly the given one. Default: the newest. */
export type VersionPolicies = Readonly<Record<string, "latest" | { readonly exact: string }>>;

interface VersionedOrchestration {
  readonly version: Semver;
  readonly definition: AnyOrchestration;
}

export class OrchestrationRegistry {
  /** Versions by name, ascending. */
  readonly #byName = new Map<string, VersionedOrchestration[]>();
  readonly #policies: VersionPolicies;

  constructor(definitions: readonly AnyOrchestration[], policies: VersionPolicies = {}) {
    this.#policies = policies;
    for (const definition of definitions) this.#add(definition);
    for (const versions of this.#byName.values())
      versions.sort((a, b) => compareSemver(a.version, b.version));
    for (const name of Object.keys(policies)) this.#checkPolicy(name);
  }

  get isEmpty(): boolean {
    return this.#byName.size === 0;
  }

  /** Names only, without versions. */
  get names(): ReadonlySet<string> {
    return new Set(this.#byName.keys());
  }

  /** All of it, as a fetch names it. */
  get code(): Pick<FetchOrchestrationOptions, "orchestrations" | "versions"> {
    const all = [...this.all, { name: SCHEDULE_ORCHESTRATION, version: SCHEDULE_VERSION }];
    const versions = new Set(all.map(({ name, version }) => programOf(name, version)));
    return { orchestrations: new Set(all.map(({ name }) => name)), versions };
  }

  /** Every version of every orchestration. */
  get all(): readonly { readonly name: string; readonly version: string }[] {
    return [...this.#byName].flatMap(([name, versions]) =>
      versions.map(({ definition }) => ({ name, version: definition.version })),
    );
  }

  /** The versions of an orchestration, ascending. */
  versionsOf(name: string): readonly string[] {
    return (this.#byName.get(name) ?? []).map(({ definition }) => definition.version);
  }

  /** The handler for the requested version; without one, for the version that the policy selects. */
  resolve(name: string, version: string | null): AnyOrchestration | undefined {
    // The policies are a plain object, which inherits names such as "constructor".
    const policy = (Object.hasOwn(this.#policies, name) && this.#policies[name]) || "latest";
    const wanted = version ?? (policy === "latest" ? null : policy.exact);
    const versions = this.#byName.get(name) ?? [];
    if (wanted === null) return versions.at(-1)?.definition;
    const parsed = parseSemver(wanted);
    return parsed && versions.find((entry) => compareSemver(entry.version, parsed) === 0)?.definition;
  }

  #add(definition: AnyOrchestration): void {
    const version = parseSemver(definition.version);
    if (version === undefined) {
      throw new ConfigurationError(
        `orchestration "${definition.name}": "${definition.version}" is not a version`,
      );
    }
    const versions = this.#byName.get(definition.name) ?? [];
    if (versions.some((entry) => compareSemver(entry.version, version) === 0)) {
      throw new ConfigurationError(
        `orchestration "${definition.name}" is registered twice with version ${definition.version}; ` +
          "give the newer one another version or remove one",
      );
    }
    versions.push({ version, definition });
    this.#byName.set(definition.name, versions);
  }

  #checkPolicy(name: string): void {
    if (this.resolve(name, null) !== undefined) return;
    throw new ConfigurationError(
      `the version policy of orchestration "${name}" names a version that is not registered`,
    );
  }
}

export class ActivityRegistry {
  readonly #byName = new Map<string, AnyActivity>();

  constructor(definitions: readonly AnyActivity[]) {
    for (const definition of definitions) {
      if (this.#byName.has(definition.name)) {
        throw new ConfigurationError(
          `activity "${definition.name}" is registered twice; remove or rename one`,
        );
      }
      this.#byName.set(definition.name, definition);
    }
  }

  get isEmpty(): boolean {
    return this.#byName.size === 0;
  }

  get names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  get(name: string): AnyActivity | undefined {
    return this.#byName.get(name);
  }
}
