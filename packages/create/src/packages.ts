/** The versions of our packages that a project gets. */
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import path from "node:path";

const OURS = "@duroxide-ts/";
const COPIES = "packages";

/** The dependencies of a manifest, by name. */
export type Dependencies = Readonly<Record<string, string>>;

/** Origin of our packages: a folder with the files of `npm run pack`, or a version of the registry. */
export type Source = { readonly folder: string } | { readonly version: string };

/** A manifest of a template with the versions of a source. */
export function withPackages<Manifest extends object>(manifest: Manifest, source: Source): Manifest {
  const own = manifest as { readonly dependencies?: Dependencies; readonly devDependencies?: Dependencies };
  const { dependencies, devDependencies } = own;
  return {
    ...manifest,
    ...(dependencies && { dependencies: versioned(dependencies, source) }),
    ...(devDependencies && { devDependencies: versioned(devDependencies, source) }),
  };
}

function versioned(dependencies: Dependencies, source: Source): Dependencies {
  return Object.fromEntries(
    Object.entries(dependencies).map(([name, range]) => [
      name,
      name.startsWith(OURS) ? versionOf(name.slice(OURS.length), source) : range,
    ]),
  );
}

function versionOf(name: string, source: Source): string {
  if ("version" in source) return source.version;
  const files = readdirSync(source.folder).filter((file) =>
    new RegExp(`^duroxide-ts-${name}-\\d.*\\.tgz$`).test(file),
  );
  const [file] = files.toSorted().reverse();
  if (file === undefined) {
    throw new Error(
      `${source.folder} has no duroxide-ts-${name}-VERSION.tgz: run \`npm run pack\` in a clone first`,
    );
  }
  return `file:${COPIES}/${file}`;
}

/** Copies the files that a manifest names into the project, so that it does not depend on another folder. */
export function copyPackages(manifest: object, source: Source, project: string): void {
  if ("version" in source) return;
  mkdirSync(path.join(project, COPIES));
  for (const [, file] of JSON.stringify(manifest).matchAll(/"file:packages\/([^"]+)"/g)) {
    if (file !== undefined) copyFileSync(path.join(source.folder, file), path.join(project, COPIES, file));
  }
}
