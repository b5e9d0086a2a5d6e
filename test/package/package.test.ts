/** Installs the packed package in a project outside the repository: it starts a service, and has types. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };

/** Outside the repository, so that no parent folder has packages. */
const folder = mkdtempSync(path.join(tmpdir(), "burgee-test-"));
const { vitest, typescript } = packageJson.devDependencies;
const strict = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
  target: "es2022",
  lib: ["es2022"],
  types: [],
};

let packed: string[];

beforeAll(() => {
  const [{ filename, files }] = JSON.parse(
    npm(".", "pack", "--json", "--ignore-scripts", "--pack-destination", folder),
  );
  packed = files.map((file: { path: string }) => file.path);
  cpSync("test/package/project", folder, { recursive: true });
  write("package.json", { name: "elsewhere", private: true, type: "module" });
  cpSync("test/package/project/types.ts", path.join(folder, "types.cts"));
  const wanted = [`./${filename}`, `vitest@${vitest}`, "jest@30.5.2", `typescript@${typescript}`];
  npm(folder, "install", "--save-dev", "--prefer-offline", "--no-audit", "--no-fund", ...wanted);
});

describe("the package", () => {
  it("contains the programs, and no sources", () => {
    expect(packed.toSorted()).toEqual([
      ...["LICENSE", "README.md", "dist/patch-page.html", "dist/tools/admin.mjs"],
      ...["dist/tools/harness-worker.mjs", "dist/tools/mcp.mjs", "dist/tools/start-burgee.cjs"],
      ...["dist/tools/start-burgee.d.cts", "dist/tools/start-burgee.mjs"],
      ...["infra/demo.json", "infra/local/harness.d.ts", "package.json"],
    ]);
  });

  it("works in a test file of Vitest, with a server of its own", () => {
    const { status, stdout, stderr } = run(
      "node_modules/vitest/vitest.mjs",
      "run",
      "spec",
      "--reporter=json",
    );

    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ numPassedTests: 2, numTotalTests: 2 });
  });

  it("works in a CommonJS test file of Jest", () => {
    const { status, stdout } = run("node_modules/jest/bin/jest.js", "--json", "burgee.test.cjs");

    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ numPassedTests: 2, numTotalTests: 2 });
  });

  it.each([
    { file: "types.ts", module: "nodenext", moduleResolution: "nodenext" },
    { file: "types.cts", module: "node16", moduleResolution: "node16" },
    { file: "types.ts", module: "esnext", moduleResolution: "bundler" },
    // The default of TypeScript 5 for CommonJS, as many projects with Jest have it.
    { file: "types.ts", module: "commonjs", moduleResolution: "node10", ignoreDeprecations: "6.0" },
  ])("type-checks in a strict project: $file, $moduleResolution", ({ file, ...modules }) => {
    write("tsconfig.json", { compilerOptions: { ...strict, ...modules }, files: [file] });

    expect(run("node_modules/typescript/bin/tsc")).toMatchObject({ status: 0, stdout: "" });
  });

  it("has the command line", () => {
    const data = path.join(folder, "data");
    mkdirSync(data);
    const burgee = (...given: string[]) => run("node_modules/.bin/burgee", "--data", data, ...given);

    expect(burgee("apply", "node_modules/burgee/infra/demo.json")).toMatchObject({ status: 0 });
    expect(burgee("feature", "list").stdout).toContain("checkout");
  });

  it("has the MCP server, which an agent starts by the command of its page", () => {
    const [, json = ""] = /```json\n([^`]+)```/.exec(readFileSync("docs/MCP.md", "utf8")) ?? [];
    const { command, args } = JSON.parse(json).mcpServers.burgee;

    const out = execFileSync(command, [...args, "--help"], { cwd: folder, encoding: "utf8" });

    expect(out).toContain("Usage: burgee-mcp");
  });
});

/** Runs npm as a user does: `npm run` hands the settings of this project's .npmrc down to its children. */
function npm(cwd: string, ...given: string[]): string {
  const inherited = ([name]: [string, unknown]) => name.toLowerCase() === "npm_config_strict_allow_scripts";
  const env = Object.fromEntries(Object.entries(process.env).filter((entry) => !inherited(entry)));
  return execFileSync("npm", given, { cwd, encoding: "utf8", env, stdio: ["ignore", "pipe", "pipe"] });
}

function run(...given: string[]) {
  const { NODE_OPTIONS, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, given, {
    cwd: folder,
    encoding: "utf8",
    env,
  });
  return { status, stdout, stderr };
}

function write(name: string, content: unknown): void {
  writeFileSync(path.join(folder, name), JSON.stringify(content));
}
