/** Users have to be able to take patches of what they install; what a workflow runs changes only by a commit. */
import { expect, it } from "vitest";
import { listFiles, listPackages, read } from "./repository.ts";

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

it("a workflow names each action by the digest of a commit, because its tag may move", () => {
  const actions = listFiles(".github", ".yml").flatMap((file) =>
    Array.from(read(file).matchAll(/\buses: *(.*)/g), ([, action]) => action),
  );
  expect(actions.length).toBeGreaterThan(10);
  expect(actions.filter((action) => !/^[\w./-]+@[0-9a-f]{40} # v[\d.]+$/.test(action ?? ""))).toEqual([]);
});
