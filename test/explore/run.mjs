/** `npm run explore`: builds and runs the exploration. With `--bugs`, once for each deliberate bug, which must be found. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { text } from "node:stream/consumers";
import { bugs } from "./bugs.mjs";
import { buildExplorer } from "./build.mjs";

// A folder of its own, as several may run at once. The code finds serverless.yml two folders above it.
mkdirSync(".cache", { recursive: true });
const folder = mkdtempSync(".cache/explore-");
process.on("exit", () => rmSync(folder, { recursive: true }));

const given = process.argv.slice(2);
if (given[0] === "--bugs") process.exitCode = await findBugs(given[1]);
else {
  const at = given.indexOf("--carried");
  // Where no write drops a change, each number explores the same.
  const [, carried] = at < 0 ? [] : given.splice(at, 2, "--dropping");
  const program = `${folder}/main.mjs`;
  await buildExplorer(program, [], carried);
  const [code] = await once(start(program, given, "inherit"), "close");
  process.exitCode = code ?? 1;
}

/** @param {string | undefined} only */
async function findBugs(only) {
  // Those with bounds of their own take longest, so they begin first.
  const hasBounds = (/** @type {import("./bugs.mjs").Bug} */ { foundBy }) => Number(Array.isArray(foundBy));
  const queue = bugs
    .filter(({ name }) => only === undefined || name === only)
    .sort((one, other) => hasBounds(other) - hasBounds(one));
  let code = queue.length > 0 ? 0 : 2;
  if (code !== 0) process.stderr.write(`There is no bug "${only}"\n`);
  const findNext = async () => {
    for (let bug = queue.shift(); bug; bug = queue.shift()) if (!(await findBug(bug))) code = 1;
  };
  await Promise.all(Array.from({ length: availableParallelism() }, findNext));
  return code;
}

/** @param {import("./bugs.mjs").Bug} bug */
async function findBug({ name, foundBy, edits, carried }) {
  const program = `${folder}/${name.replaceAll(/\W+/g, "-")}.mjs`;
  await buildExplorer(program, edits, carried);
  const child = start(program, ["--shortest", "--faults", "1", "--scenario", ...[foundBy].flat()], "pipe");
  const [output, [code]] = await Promise.all([text(/** @type {any} */ (child.stdout)), once(child, "close")]);
  // A bug that names a variable that is gone would be found by its crash: of a request, of an operator, or at once.
  const isFound = code === 1 && output.includes("\n  => ") && !/received 500| failed: /.test(output);
  process.stdout.write(`\nWith the bug "${name}":\n${output}${isFound ? "" : "  NOT FOUND\n"}`);
  return isFound;
}

/** @param {string} program @param {readonly string[]} options @param {"inherit" | "pipe"} output */
function start(program, options, output) {
  return spawn(process.execPath, [program, ...options], {
    stdio: ["inherit", output, "inherit"],
  });
}
