/** Whatever is started on too old a Node, or on Windows, says what is needed, before anything else. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { newFolder, refused } from "../infra/clients/admin/command-line.ts";
import { runProgram } from "../support/program.ts";

const { scripts, engines } = JSON.parse(readFileSync("package.json", "utf8"));
// The build puts the same check into each tool.
const tools = ["node dist/tools/start.mjs", "node dist/tools/admin.mjs"];
/** What comes after `&&` in a script is not reached; many begin alike. */
const commands = new Set(
  [...Object.values<string>(scripts), ...tools].map((each) => each.split(" && ")[0] ?? ""),
);

/** Makes a process, and those that it starts, take themselves for Node 18. */
const asNode18 =
  'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } });';
const preloading = (code: string) => ({
  ...process.env,
  PATH: `${path.resolve("node_modules/.bin")}${path.delimiter}${process.env.PATH}`,
  NODE_OPTIONS: `--require=${newFolder().file("preloaded.cjs", Buffer.from(code))}`,
});
const env = preloading(asNode18);

it.concurrent.each([...commands])("%s is refused on Node 18, in one line", async (command) => {
  const { code, out, err } = await runProgram("sh", ["-c", command], { env });

  const lines = err.split("\n").filter((line) => line !== "" && !line.startsWith("npm "));
  const needed = engines.node.replace(">=", "");
  expect(code).toBe(1);
  expect(lines).toEqual([`burgee: Node ${needed} or newer is required, but this is Node 18.20.8`]);
  expect(out.split("\n").filter((line) => line !== "" && !line.startsWith(">"))).toEqual([]);
});

it.each(["node esbuild.config.mjs", ...tools])("%s is refused on Windows, in one line", async (command) => {
  const onWindows = preloading('Object.defineProperty(process, "platform", { value: "win32" });');

  expect(await runProgram("sh", ["-c", command], { env: onWindows })).toEqual(
    refused("Windows is supported in WSL only: run the same command there"),
  );
});
