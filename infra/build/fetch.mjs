/** Fetches what only some commands need into .cache, once for each version. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/** By these options npm gives up within seconds without a network, instead of minutes; pip does by those below. */
const npmOptions = [
  ...["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"],
  ...["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=30000"],
];
const pipOptions = ["--quiet", "--disable-pip-version-check", "--retries=1", "--timeout=15"];

/**
 * Fetches npm packages, each with its version. Returns their `node_modules`.
 * @param {string} name
 * @param {readonly string[]} packages
 * @param {readonly string[]} options Of npm.
 */
export function fetchPackages(name, packages, options = []) {
  return fetchOnce(name, packages.join("\n"), "node_modules", (folder) => {
    run("npm", ["install", "--prefix", folder, "--no-save", ...npmOptions, ...options, ...packages]);
  });
}

/**
 * Fetches exactly the versions of the lock file in `pinned`. Returns their `node_modules`.
 * @param {string} name
 * @param {string} pinned
 */
export function fetchLocked(name, pinned) {
  const lock = readFileSync(path.join(pinned, "package-lock.json"), "utf8");
  return fetchOnce(name, lock, "node_modules", (folder) => {
    cpSync(pinned, folder, { recursive: true });
    run("npm", ["ci", "--prefix", folder, ...npmOptions]);
  });
}

/**
 * Fetches exactly the versions of the requirements file, into a Python environment of their own. Returns its programs.
 * @param {string} name
 * @param {string} requirements
 */
export function fetchPython(name, requirements) {
  return fetchOnce(name, readFileSync(requirements, "utf8"), "bin", (folder) => {
    run("python3", ["-m", "venv", folder]);
    run(path.join(folder, "bin/pip"), ["install", ...pipOptions, "-r", requirements]);
  });
}

/**
 * Fetches a commit of a repository, with the packages of its lock file. Returns its folder.
 * @param {string} name
 * @param {string} url
 * @param {string} commit
 */
export function fetchCommit(name, url, commit) {
  return fetchOnce(name, commit, "", (folder) => {
    run("git", ["init", "--quiet", folder]);
    run("git", ["-C", folder, "fetch", "--quiet", "--depth=1", url, commit]);
    run("git", ["-C", folder, "checkout", "--quiet", "FETCH_HEAD"]);
    run("npm", ["ci", "--prefix", folder, ...npmOptions]);
  });
}

/**
 * Returns the folder `programs` of what was fetched.
 * @param {string} name
 * @param {string} wanted
 * @param {string} programs
 * @param {(folder: string) => void} install
 */
function fetchOnce(name, wanted, programs, install) {
  mkdirSync(".cache", { recursive: true });
  // npm does not install into a folder behind a symbolic link.
  const folder = path.join(realpathSync(".cache"), name);
  const fetched = path.join(folder, "fetched");
  const isFetched = () => existsSync(fetched) && readFileSync(fetched, "utf8") === wanted;
  if (!isFetched()) {
    alone(`${folder}.lock`, () => {
      if (!isFetched()) fetchInto(folder, name, install);
      // Written last, so that an interrupted fetch starts again from the beginning.
      writeFileSync(fetched, wanted);
    });
  }
  return path.join(folder, programs);
}

/**
 * Runs this while no other process runs it: test files that need the same packages start at once.
 * @param {string} lock A file with the id of the process that runs it.
 * @param {() => void} run
 */
function alone(lock, run) {
  while (!isLocked(lock)) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
  try {
    run();
  } finally {
    rmSync(lock, { force: true });
  }
}

/**
 * Returns whether this process has the lock now. The lock of a process that has ended is removed.
 * @param {string} lock
 */
function isLocked(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
  }
  try {
    process.kill(Number(readFileSync(lock, "utf8")), 0);
  } catch {
    rmSync(lock, { force: true });
  }
  return false;
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {(folder: string) => void} install
 */
function fetchInto(folder, name, install) {
  console.error(`burgee: fetching ${name} into .cache...`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  try {
    install(folder);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new Error(`${name} is not in .cache and could not be fetched: ${message}`);
  }
}

/**
 * Shows the output only if it fails, in the message of the error.
 * @param {string} command
 * @param {readonly string[]} given
 */
function run(command, given) {
  execFileSync(command, given, { stdio: "pipe" });
}
