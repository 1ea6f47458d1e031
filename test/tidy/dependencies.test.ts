/** Users install the dependencies of the packages, and have to be able to take their patches. */
import { expect, it } from "vitest";
import { listPackages, read } from "./repository.ts";

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

it("a dependency on another project has a range, and one on a package of ours an exact version", () => {
  const dependencies = listPackages().flatMap((name) => {
    const manifest = JSON.parse(read(`packages/${name}/package.json`)) as Manifest;
    return Object.entries(manifest.dependencies ?? {});
  });
  const wrong = dependencies.filter(
    ([name, range]) => /^[\^~]/.test(range) === name.startsWith("@duroxide-ts/"),
  );
  expect(dependencies.length).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
});
