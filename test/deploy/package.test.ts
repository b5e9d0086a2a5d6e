/** `npm run package`: reproducible archives of the built functions, without a network. */
import { execFileSync } from "node:child_process";
import { readFileSync, utimesSync } from "node:fs";
import { expect, it } from "vitest";

const names = ["tags", "variants", "read"];
const script = ["npm", "run", "package", "--", "--stage", "prod"];

function run(command: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const [program = "", ...given] = command;
  execFileSync(program, given, { stdio: "pipe", env: { ...process.env, ...env } });
  return names.map((name) => readFileSync(`.serverless/${name}.zip`).toString("base64"));
}

it("two runs give identical archives, whatever the time and its zone, without a network or credentials", () => {
  const first = run(script, { TZ: "America/Los_Angeles" });
  for (const name of names) utimesSync(`dist/${name}.cjs`, new Date(0), new Date(0));
  const empty = { AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "", AWS_PROFILE: "", HOME: "/nonexistent" };

  // In its own namespace a process has no network at all, not even loopback.
  const second = run(["unshare", "--map-root-user", "--net", ...script], { TZ: "Asia/Tokyo", ...empty });

  expect(second).toEqual(first);
});

const readAll =
  "import json, sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(json.dumps({ name: z.read(name).decode() for name in z.namelist() }))";

it.each(names)("the archive of %s contains only the function's files", (name) => {
  const contents = execFileSync("python3", ["-c", readAll, `.serverless/${name}.zip`], { encoding: "utf8" });

  const files = [`dist/${name}.cjs`, ...(name === "read" ? ["dist/patch-page.html"] : [])];
  const expected = files.map((file) => [file, readFileSync(file, "utf8")]);
  expect(JSON.parse(contents)).toEqual(Object.fromEntries(expected));
});
