/** The script of all checks fails with any of its commands. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { runProgram } from "../support/program.ts";
import { newFolder } from "./admin/command-line.ts";

/** Notes each call, and fails the one with this number. */
const noted = `#!/bin/sh
echo "$0 $*" >>calls
test "$(wc -l <calls)" -ne "$FAILING"
`;
const programs = { npm: noted, "apt-get": noted, python3: "#!/bin/sh\nexit 1\n" };

/** Runs the script with these programs; returns their calls. */
async function run(failing: number): Promise<{ code: number | null; calls: string[] }> {
  const { path: folder } = newFolder();
  for (const name of [".ci", "bin"]) mkdirSync(path.join(folder, name));
  cpSync(".ci/run", path.join(folder, ".ci/run"));
  for (const [name, program] of Object.entries(programs)) {
    writeFileSync(path.join(folder, "bin", name), program, { mode: 0o755 });
  }
  const env = { PATH: `${folder}/bin:${process.env.PATH}`, FAILING: String(failing) };
  const { code } = await runProgram("bash", [path.join(folder, ".ci/run")], { env });
  const calls = readFileSync(path.join(folder, "calls"), "utf8").trim().split("\n");
  return { code, calls: calls.map((line) => line.replace(`${folder}/bin/`, "")) };
}

it("ends at the first command that fails", async () => {
  const { code, calls } = await run(0);

  expect({ code, begin: calls.slice(0, 2) }).toEqual({ code: 0, begin: ["npm ci", "npm test"] });
  for (const number of calls.keys()) {
    expect(await run(number + 1)).toEqual({ code: 1, calls: calls.slice(0, number + 1) });
  }
});
