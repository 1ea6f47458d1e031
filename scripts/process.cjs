/** Child processes for the scripts: the command itself, npm in the background, and how failure is told. */
const { spawn, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const root = path.resolve(__dirname, "..");

/** A failure that its sentence explains completely; shown without a stack. */
class Problem extends Error {}

/** Runs a program in the foreground, passes signals on to it, and tells how it ended. */
function run(program, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: "inherit", ...options });
    for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"]) {
      process.on(signal, () => {
        // A terminal sends Ctrl-C to the child as well; a second one would make it quit without cleaning up.
        if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
      });
    }
    const watch = whenOrphaned(() => child.kill("SIGTERM"));
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      clearInterval(watch);
      resolve({ code, signal });
    });
  });
}

/** npm ends the shell in which it has started a command, and the shell passes nothing on: this process only loses its parent. */
function whenOrphaned(end) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    end();
  }, 500);
  return watch;
}

/** Ends this process in the way in which the child ended. */
function exitLike({ code, signal }) {
  if (signal === null) {
    process.exitCode = code;
    return;
  }
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** Finds npm's own program, so that another Node than the one that started it can run it. */
function findNpm() {
  const beside = path.dirname(process.execPath);
  const candidates = [
    process.env.npm_execpath ?? "",
    path.join(beside, "..", "lib", "node_modules", "npm", "bin", "npm-cli.js"),
    path.join(beside, "node_modules", "npm", "bin", "npm-cli.js"),
    ...(process.env.PATH ?? "").split(path.delimiter).map((folder) => path.join(folder, "npm")),
  ];
  for (const candidate of candidates) {
    if (candidate === "" || !fs.existsSync(candidate)) continue;
    const resolved = fs.realpathSync(candidate);
    if (path.basename(resolved) === "npm-cli.js") return resolved;
  }
  throw new Problem("npm was not found. Install it (it comes with Node) and run the command through it.");
}

const NPM_OPTIONS = [
  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
  "--no-progress",
  "--no-update-notifier",
  "--loglevel=error",
  // Offline, npm's defaults would keep the user waiting for more than a minute before it says so.
  "--fetch-retry-mintimeout=1000",
  "--fetch-retry-maxtimeout=5000",
];

/** Runs npm quietly; on failure throws a Problem that begins with `failure` and says what to do. */
function npm(node, args, failure) {
  const command = [findNpm(), ...args, ...NPM_OPTIONS];
  const result = spawnSync(node, command, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  if (result.status === 0) return;
  if (result.signal) throw new Problem(`${failure}: npm was stopped by ${result.signal}.`);
  const output = `${result.stdout ?? ""}${result.stderr ?? ""}${result.error?.message ?? ""}`.trim();
  throw new Problem(`${failure}: ${adviceFor(output)}\n\n${excerpt(output)}`);
}

const UNREACHABLE =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED/;

function adviceFor(output) {
  if (UNREACHABLE.test(output)) {
    return "the package registry cannot be reached. Check the network (and npm's proxy setting), then run the same command again. npm says:";
  }
  if (output.includes("EUSAGE")) {
    return "package-lock.json does not fit the package.json files. Run `npm install` and commit the lock file. npm says:";
  }
  if (output.includes("ENOSPC")) return "the disk is full. npm says:";
  return "npm says:";
}

/** The beginning of what npm said; the rest is its manual, and stacks help nobody here. */
function excerpt(output) {
  const lines = output.split("\n").filter((line) => !/^npm warn|^npm error\s+at |[{}]$/i.test(line));
  return lines.slice(0, 12).join("\n").replace(/^/gm, "  ");
}

module.exports = { exitLike, npm, Problem, root, run };
