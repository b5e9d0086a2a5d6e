/** Remembers in dist/built.json which sources were built into which files, so that nothing is built twice. */
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

const record = "dist/built.json";

const sources = [
  ...[
    "functions",
    "infra",
    "lib",
    "esbuild.config.mjs",
    "tsconfig.json",
    "package.json",
    "package-lock.json",
    "serverless.yml",
  ],
  // npm's own list of what is installed.
  "node_modules/.package-lock.json",
];

/** Hashes the contents of the sources: a checkout or a copy can give a newer file an older time. */
export function digestOfSources() {
  return digestOf(sources);
}

/** @param {string} digest Of the sources. */
export function isBuilt(digest) {
  if (!existsSync(record)) return false;
  const built = JSON.parse(readFileSync(record, "utf8"));
  return built.sources === digest && built.outputs === digestOf(built.files);
}

/**
 * @param {string} digest Of the sources as they were before the build.
 * @param {readonly string[]} files What was built.
 */
export function rememberBuild(digest, files) {
  replaceFile(record, JSON.stringify({ sources: digest, files, outputs: digestOf(files) }));
}

/**
 * Replaces the file atomically: a process that loads it never reads half of it, and several commands may build at once.
 * @param {string} file
 * @param {string | Uint8Array} content
 */
export function replaceFile(file, content) {
  mkdirSync(path.dirname(file), { recursive: true });
  const written = `${file}.${process.pid}.new`;
  writeFileSync(written, content);
  renameSync(written, file);
}

/** @param {readonly string[]} names Of files and folders; of a missing one there is nothing. */
function digestOf(names) {
  const hash = createHash("sha256");
  for (const file of names.flatMap(filesOf)) {
    const content = readFileSync(file);
    hash.update(`${file} ${content.length} `).update(content);
  }
  return hash.digest("hex");
}

/** @param {string} name @returns {string[]} */
function filesOf(name) {
  const found = statSync(name, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [name] : [];
  return readdirSync(name)
    .sort()
    .flatMap((one) => filesOf(path.join(name, one)));
}
