/** What is fetched when it is needed: once, and with the tool's own words when it fails. */
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { type Run, runNode } from "../support/program.ts";
import { newFolder } from "./admin/command-line.ts";

const fetch = pathToFileURL("infra/build/fetch.mjs").href;

/** npm has nothing but what is on this machine, in a cache of its own, and is as silent as in `npm run --silent`. */
function run(args: readonly string[], cwd: string): Promise<Run> {
  const npm = { registry: "http://127.0.0.1:1", cache: newFolder().path, loglevel: "silent" };
  const settings = Object.entries(npm).map(([name, value]) => [`npm_config_${name}`, value]);
  return runNode(args, { cwd, env: { ...process.env, ...Object.fromEntries(settings) } });
}

const call = (name: string, ...given: unknown[]) => [
  "--input-type=module",
  "--eval",
  `import { ${name} } from ${JSON.stringify(fetch)}; console.log(${name}(...${JSON.stringify(given)}));`,
];

it("fetches a package once", async () => {
  const cwd = newFolder().path;
  const given = newFolder();
  given.file("package.json", { name: "a-package", version: "1.0.0" });
  const fetched = call("fetchPackages", "mine", [`a-package@file:${given.path}`]);

  const first = await run(fetched, cwd);
  const second = await run(fetched, cwd);

  const modules = path.join(cwd, ".cache/mine/node_modules");
  expect(first).toEqual({ code: 0, out: `${modules}\n`, err: "burgee: fetching mine into .cache...\n" });
  expect(second).toEqual({ ...first, err: "" });
  expect(existsSync(path.join(modules, "a-package/package.json"))).toBe(true);
});

it("says what npm said when a package cannot be fetched, and tries again the next time", async () => {
  const cwd = newFolder().path;

  for (let attempt = 0; attempt < 2; attempt++) {
    const { code, err } = await run(call("fetchPackages", "mine", ["a-package@1.0.0"]), cwd);

    expect(code).toBe(1);
    expect(err).toContain("mine is not in .cache and could not be fetched: Command failed: npm ");
    expect(err).toContain("npm error code ECONNREFUSED");
  }
});
