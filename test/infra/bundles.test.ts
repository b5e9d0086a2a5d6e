/** What is deployed stays small: a careless import can double a cold start without breaking any other test. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { newFolder } from "./admin/command-line.ts";

it.each([
  { name: "tags", patches: false },
  { name: "variants", patches: true },
])("the bundle of $name is at most 70 KB, compressed, patches: $patches", ({ name, patches }) => {
  const bundle = readFileSync(`dist/${name}.cjs`);

  expect(gzipSync(bundle).length / 1024).toBeLessThan(70);
  expect(bundle.includes("OPERATION_PATH_INVALID")).toBe(patches);
});

it("a build leaves the file alone that a concurrent one is writing", () => {
  const { path: cwd } = newFolder();
  for (const name of ["package.json", "node_modules", "functions", "lib", "infra", "esbuild.config.mjs"])
    symlinkSync(path.resolve(name), path.join(cwd, name));
  const theirs = path.join(cwd, "dist", "tags.cjs.new");
  mkdirSync(path.dirname(theirs));
  writeFileSync(theirs, "half of it");

  execFileSync(process.execPath, ["esbuild.config.mjs"], { cwd });

  expect(readFileSync(theirs, "utf8")).toBe("half of it");
  expect(existsSync(path.join(cwd, "dist", "tags.cjs"))).toBe(true);
});
