/**
 * Dependencies, exactly as package-lock.json has them. A stamp in node_modules holds the hash of the lock file
 * that was installed, so that the check costs one small file in the usual case.
 */
const { createHash } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");
const { npm, root } = require("./process.cjs");

const MODULES = path.join(root, "node_modules");
const STAMP = path.join(MODULES, ".duroxide-installed");

function ensureDependencies(node) {
  const lock = fs.readFileSync(path.join(root, "package-lock.json"), "utf8");
  const wanted = `${createHash("sha256").update(lock).digest("hex")} ${process.platform}-${process.arch}\n`;
  if (readIfPresent(STAMP) === wanted) return;
  if (!installedByHand(lock)) {
    const why = fs.existsSync(MODULES) ? "package-lock.json has changed" : "first run";
    console.log(`Installing dependencies (${why}, about 20 s)…`);
    // Development tools are what these scripts run, also where the environment asks for production only.
    npm(node, ["ci", "--include=dev"], "The dependencies could not be installed");
  }
  fs.writeFileSync(STAMP, wanted);
}

/**
 * Whether `npm install` has brought node_modules up to date already. npm keeps a copy of what it installed in
 * `node_modules/.package-lock.json`; packages for other platforms are missing there, and that is fine.
 */
function installedByHand(lockText) {
  const hidden = readIfPresent(path.join(MODULES, ".package-lock.json"));
  if (hidden === undefined) return false;
  const installed = JSON.parse(hidden).packages ?? {};
  const locked = JSON.parse(lockText).packages;
  const same = ([name, entry]) =>
    name === "" ||
    (installed[name]?.version === entry.version && installed[name]?.integrity === entry.integrity) ||
    (installed[name] === undefined && entry.optional === true && !isForThisPlatform(entry));
  return Object.entries(locked).every(same) && Object.keys(installed).every((name) => name in locked);
}

/**
 * Tells whether a package is for this system and processor. The C library that it wants is not compared: of two
 * packages that differ in it, one is missing rightly.
 */
function isForThisPlatform({ os, cpu, libc }) {
  return (
    (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true) && libc === undefined
  );
}

function readIfPresent(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined;
}

module.exports = { ensureDependencies };
