/** `npm run explore`: builds and runs the exploration. With `--bugs`, once for each deliberate bug, which must be found. */
import { spawnSync } from "node:child_process";
import { bugs } from "./bugs.mjs";
import { buildExplorer } from "./build.mjs";

const environment = {
  AWS_REGION: "eu-central-1",
  // Plain HTTP, so that no connection is opened early: there is no network.
  AWS_ENDPOINT_URL_DYNAMODB: "http://table",
  AWS_ACCESS_KEY_ID: "local",
  AWS_SECRET_ACCESS_KEY: "local",
  // It would take precedence over these keys.
  AWS_PROFILE: "",
  TABLE_NAME: "explored",
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
};

const given = process.argv.slice(2);
if (given[0] === "--bugs") process.exitCode = await findBugs(given[1]);
else {
  await buildExplorer("dist/explore/main.mjs");
  process.exitCode = run("dist/explore/main.mjs", given).status ?? 1;
}

/** @param {string | undefined} only */
async function findBugs(only) {
  let missed = 0;
  for (const { name, foundBy, changes } of bugs.filter((bug) => only === undefined || bug.name === only)) {
    const program = `dist/explore/${name.replaceAll(/\W+/g, "-")}.mjs`;
    await buildExplorer(program, changes);
    process.stdout.write(`\nWith the bug "${name}":\n`);
    const { status, stdout } = run(program, ["--shortest", "--scenario", ...[foundBy].flat()], "pipe");
    process.stdout.write(stdout);
    // A bug that names a variable that is gone would be found by its crash: of a request, of an operator, or at once.
    const isCrash = /received 500| failed: /.test(stdout);
    if (status !== 1 || isCrash || !stdout.includes("\n  => ")) {
      missed += 1;
      process.stdout.write("  NOT FOUND\n");
    }
  }
  return missed > 0 ? 1 : 0;
}

/** @param {string} program @param {readonly string[]} options @param {"inherit" | "pipe"} output */
function run(program, options, output = "inherit") {
  return spawnSync(process.execPath, [program, ...options], {
    encoding: "utf8",
    stdio: ["inherit", output, "inherit"],
    env: { ...process.env, ...environment },
  });
}
