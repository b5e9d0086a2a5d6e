/** `npm run admin` and the other tools build only if something has changed since the last build. */
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { done, newFolder, refused } from "../infra/clients/admin/command-line.ts";
import { runNode, runProgram } from "../support/program.ts";

const sources = ["functions", "lib", "infra", "esbuild.config.mjs", "tsconfig.json", "serverless.yml"];
const packages = ["package.json", "package-lock.json", "node_modules/.package-lock.json"];
const folder = newFolder().path;
const inFolder = (name: string) => path.join(folder, name);

beforeAll(async () => {
  mkdirSync(inFolder("node_modules"));
  for (const name of [...sources, ...packages]) cpSync(name, inFolder(name), { recursive: true });
  for (const name of readdirSync("node_modules").filter((one) => !/^\.(package|cache)/.test(one))) {
    symlinkSync(path.resolve("node_modules", name), inFolder(`node_modules/${name}`), "junction");
  }
  const manifest = readFileSync("package.json", "utf8");
  writeFileSync(inFolder("package.json"), manifest.replace('"version": "0.1.0"', '"version": "0.1.1"'));
  // Built from the sources of this folder.
  expect(await run("npm", "run", "--silent", "admin", "--", "--version")).toEqual(done("0.1.1\n"));
}, 60_000);

const run = (program: string, ...given: string[]) => runProgram(program, given, { cwd: folder });

/** The build of `npm run admin`; it fails if there is something to build. */
const withoutCompiler = () =>
  runNode(["esbuild.config.mjs"], {
    cwd: folder,
    env: { ...process.env, ESBUILD_BINARY_PATH: "/bin/false" },
  });

it.each([
  ["a source", "infra/clients/admin/program.ts"],
  ["a source of the functions", "lib/features/change/plan-change.ts"],
  ["a setting of the build", "esbuild.config.mjs"],
  ["the routes", "serverless.yml"],
  ["the table", "infra/aws/core.yml"],
  ["package.json", "package.json"],
  ["package-lock.json", "package-lock.json"],
  ["an installed package", "node_modules/.package-lock.json"],
  ["a built file", "dist/tools/admin.mjs"],
])("builds again after a change of %s: %s", async (_, name) => {
  const before = readFileSync(inFolder(name));
  writeFileSync(inFolder(name), `${before}\n`);
  const changed = await withoutCompiler();
  writeFileSync(inFolder(name), before);

  expect(changed.code).not.toBe(0);
});

it.each(["infra/clients/mcp/main.ts", "dist/tools/mcp.mjs"])(
  "builds again after %s was deleted",
  async (name) => {
    renameSync(inFolder(name), inFolder("elsewhere"));
    const deleted = await withoutCompiler();
    renameSync(inFolder("elsewhere"), inFolder(name));

    expect(deleted.code).not.toBe(0);
  },
);

it("builds nothing once all is as it was", async () => {
  expect(await withoutCompiler()).toMatchObject({ code: 0 });
});

it("reports in one line that the packages are not installed", async () => {
  const clone = newFolder().path;
  for (const name of [...sources, "package.json"]) cpSync(name, path.join(clone, name), { recursive: true });

  expect(await runNode(["esbuild.config.mjs"], { cwd: clone })).toEqual(
    refused("the sources cannot be built: the packages are not installed: run npm ci"),
  );
});

it("reports in one line that a folder cannot be written", async () => {
  renameSync(inFolder("dist"), inFolder("dist-before"));
  writeFileSync(inFolder("dist"), "");

  expect(await run("npm", "run", "--silent", "admin", "--", "--version")).toEqual({
    code: 1,
    out: "",
    err: expect.stringMatching(/^burgee: the sources cannot be built: E[A-Z]+: .+\n$/),
  });
});
