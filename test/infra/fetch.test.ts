/** What is fetched when it is needed: once, through a linked .cache too, and with the tool's own words when it fails. */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";

const fetch = pathToFileURL("infra/build/fetch.mjs").href;
const newFolder = () => mkdtempSync(path.join(tmpdir(), "burgee-test-"));

/** npm has nothing but what is on this machine, in a cache of its own, and is as silent as in `npm run --silent`. */
function run(args: readonly string[], cwd: string): Promise<{ code: number; out: string; err: string }> {
  const env = {
    ...process.env,
    npm_config_registry: "http://127.0.0.1:1",
    npm_config_cache: newFolder(),
    npm_config_loglevel: "silent",
  };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd, env }, (_, out, err) =>
      resolve({ code: child.exitCode ?? 0, out, err }),
    );
  });
}

const call = (name: string, ...given: unknown[]) => [
  "--input-type=module",
  "--eval",
  `import { ${name} } from ${JSON.stringify(fetch)}; console.log(${name}(...${JSON.stringify(given)}));`,
];

/** A package to install, without a registry. */
function aPackage(): string {
  const folder = newFolder();
  writeFileSync(path.join(folder, "package.json"), '{ "name": "a-package", "version": "1.0.0" }');
  return folder;
}

it("fetches a package once", async () => {
  const cwd = newFolder();
  const fetched = call("fetchPackages", "mine", [`a-package@file:${aPackage()}`]);

  const first = await run(fetched, cwd);
  const second = await run(fetched, cwd);

  const modules = path.join(cwd, ".cache/mine/node_modules");
  expect(first).toEqual({ code: 0, out: `${modules}\n`, err: "burgee: fetching mine into .cache...\n" });
  expect(second).toEqual({ ...first, err: "" });
  expect(existsSync(path.join(modules, "a-package/package.json"))).toBe(true);
});

it("installs by a lock file into a .cache that is a symbolic link", async () => {
  const [cwd, cache] = [newFolder(), newFolder()];
  symlinkSync(cache, path.join(cwd, ".cache"), "junction");
  const pinned = path.join(cwd, "pinned");
  mkdirSync(pinned);
  writeFileSync(path.join(pinned, "package.json"), '{ "private": true }');
  const lock = { lockfileVersion: 3, requires: true, packages: { "": {} } };
  writeFileSync(path.join(pinned, "package-lock.json"), JSON.stringify(lock));

  const { code, err } = await run(call("fetchLocked", "mine", "pinned"), cwd);

  expect({ code, err }).toEqual({ code: 0, err: "burgee: fetching mine into .cache...\n" });
});

it("says what npm said when a package cannot be fetched, and tries again the next time", async () => {
  const cwd = newFolder();
  const fetched = call("fetchPackages", "mine", ["a-package@1.0.0"]);

  const failed = [await run(fetched, cwd), await run(fetched, cwd)];

  for (const { code, err } of failed) {
    expect(code).toBe(1);
    expect(err).toContain("mine is not in .cache and could not be fetched: npm ended with exit code 1\n");
    expect(err).toContain("npm error code ECONNREFUSED");
  }
});

it("lets npm run package fail within seconds, and say what it needs, when the framework cannot be fetched", async () => {
  const cwd = newFolder();
  for (const name of ["deploy/osls", "stages.yml"]) {
    cpSync(path.join("infra", name), path.join(cwd, "infra", name), { recursive: true });
  }
  const startedAt = Date.now();

  const { code, out, err } = await run([path.resolve("dist/tools/deploy.mjs"), "package"], cwd);

  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain("burgee: the framework osls is not in .cache and could not be fetched: npm ended");
  expect(err).toContain("npm error code ECONNREFUSED");
  expect(err.trim().split("\n").at(-1)).toBe("The first run of this command needs the npm registry");
  expect(Date.now() - startedAt).toBeLessThan(18_000);
});
