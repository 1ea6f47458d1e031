/** One file with several names: links and mounts (src/connection/opened-files.ts). */
import { spawnSync } from "node:child_process";
import { linkSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createInstance } from "@duroxide-ts/provider-tests/building-blocks";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { describe, expect, it } from "vitest";
import { callerOf, type Folder, inFolder, temporaryFolder } from "./support/fixture.ts";

const TYPES = import.meta.dirname;

async function idsIn(path: string): Promise<readonly string[]> {
  await using provider = await SqliteProvider.open(path);
  return (await provider.admin.queryInstances()).instances.map(({ instanceId }) => instanceId);
}

async function newFile(path: string): Promise<void> {
  await (await SqliteProvider.open(path)).close();
}

describe("a symbolic link", () => {
  inFolder("to a file leads to the same store, with one log", async (folder) => {
    const [path, link] = [folder.file("orders.db"), folder.file("link.db")];
    await newFile(path);
    symlinkSync(path, link);
    await using byLink = await SqliteProvider.open(link);
    await using byPath = await SqliteProvider.open(path);
    await createInstance(callerOf(byLink), "a");
    await createInstance(callerOf(byPath), "b");
    expect(await idsIn(link)).toEqual(["b", "a"]);
    expect(readdirSync(folder.path).filter((name) => name.startsWith("link.db"))).toEqual(["link.db"]);
  });

  inFolder("that leads to another file is a store that was replaced", async (folder) => {
    const [one, two, link] = [folder.file("one.db"), folder.file("two.db"), folder.file("link.db")];
    await newFile(one);
    await newFile(two);
    symlinkSync(one, link);
    await using provider = await SqliteProvider.open(link);
    rmSync(link);
    symlinkSync(two, link);
    await expect(createInstance(callerOf(provider), "late")).rejects.toMatchObject({ code: "store-gone" });
  });

  inFolder("of a directory is followed too", async (folder) => {
    mkdirSync(folder.file("release-1"));
    symlinkSync(folder.file("release-1"), folder.file("current"));
    await using byLink = await SqliteProvider.open(`${folder.file("current")}/orders.db`);
    await createInstance(callerOf(byLink), "a");
    expect(await idsIn(`${folder.file("release-1")}/orders.db`)).toEqual(["a"]);
  });
});

it.each([{}, { readOnly: true }])(
  "a file with a second name, a hard link, is refused (%j)",
  async (options) => {
    using folder = temporaryFolder();
    const [path, second] = [folder.file("orders.db"), folder.file("second.db")];
    await newFile(path);
    linkSync(path, second);
    for (const each of [path, second]) {
      await expect(SqliteProvider.open(each, options)).rejects.toMatchObject({
        code: "cannot-open",
        message: expect.stringMatching(/has 2 names \(hard links\).*remove the other names/),
      });
    }
    rmSync(second);
    expect(await idsIn(path)).toEqual([]);
  },
);

/** A script in a namespace of mounts of its own, where the file of one folder is mounted into the other. */
function inNamespace(
  folder: Folder,
  script: string,
): { readonly status: number | null; readonly said: string } {
  const mount = `mount --bind "${folder.file("volume")}/orders.db" "${folder.file("app")}/my orders.db" || exit 77`;
  const run = `"${process.execPath}" --conditions=@duroxide-ts/source --no-warnings --input-type=module -e '${script}'`;
  const { status, stdout, stderr } = spawnSync("unshare", ["--mount", "sh", "-c", `${mount}; ${run}`], {
    encoding: "utf8",
    cwd: TYPES,
  });
  return { status, said: stdout + stderr };
}

// Mounts need rights that not every machine gives.
const mayMount = spawnSync("unshare", ["--mount", "true"]).status === 0;

describe.skipIf(!mayMount)("a file that is mounted alone", () => {
  it("is refused, because its log would stay outside of the mount", async (test) => {
    using folder = temporaryFolder();
    for (const name of ["volume", "app"]) mkdirSync(folder.file(name));
    await newFile(`${folder.file("volume")}/orders.db`);
    const path = `${folder.file("app")}/my orders.db`;
    writeFileSync(path, "");
    const script = `
      import { SqliteProvider } from "@duroxide-ts/sqlite";
      await SqliteProvider.open("${path}").then(() => console.log("opened"), (error) => console.log(error.code, error.message));`;
    const { status, said } = inNamespace(folder, script);
    test.skip(status === 77, "this machine does not mount");
    expect(said).toMatch(/^cannot-open .*mounted as a single file.*mount the directory/);
  });
});
