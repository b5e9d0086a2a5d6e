/** `npm run package`: reproducible archives of the built functions, without a network. */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, utimesSync } from "node:fs";
import { beforeEach, expect, it } from "vitest";

const names = ["tags", "variants"];

beforeEach(() => rmSync(".serverless", { recursive: true, force: true }));

function run(command: string, options: readonly string[], env: NodeJS.ProcessEnv = {}): void {
  execFileSync(command, options, { stdio: "pipe", env: { ...process.env, ...env } });
}

function archives(): string[] {
  return names.map((name) => readFileSync(`.serverless/${name}.zip`).toString("base64"));
}

it("two runs give identical archives, whatever the time and its zone", () => {
  run("npm", ["run", "package"], { TZ: "America/Los_Angeles" });
  const first = archives();
  for (const name of names) utimesSync(`dist/${name}.cjs`, new Date(0), new Date(0));

  run("npm", ["run", "package"], { TZ: "Asia/Tokyo" });

  expect(archives()).toEqual(first);
});

it("an archive contains only the function's file, without a source map", () => {
  run("npm", ["run", "package"]);

  for (const name of names) {
    const list = execFileSync("python3", ["-m", "zipfile", "--list", `.serverless/${name}.zip`], {
      encoding: "utf8",
    });
    const [, ...files] = list.trim().split("\n");
    expect(files.map((line) => line.split(" ")[0])).toEqual([`dist/${name}.cjs`]);
    const held = execFileSync("python3", ["-c", extract, `.serverless/${name}.zip`]);
    expect(held.equals(readFileSync(`dist/${name}.cjs`))).toBe(true);
    expect(held.toString()).not.toContain("sourceMappingURL");
  }
});

it("it needs neither a network nor credentials", () => {
  const empty = { AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "", AWS_PROFILE: "", HOME: "/nonexistent" };

  // In its own namespace a process has no network at all, not even loopback.
  run("unshare", ["--map-root-user", "--net", "npm", "run", "package", "--", "--stage", "prod"], empty);

  expect(archives().every((archive) => archive.length > 0)).toBe(true);
  const template = readFileSync(".serverless/cloudformation-template-update-stack.json", "utf8");
  expect(JSON.parse(template).Resources.Table.DeletionPolicy).toBe("Retain");
});

const extract =
  "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); sys.stdout.buffer.write(z.read(z.namelist()[0]))";
