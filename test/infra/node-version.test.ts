/** Whatever is started on too old a Node says which one is needed, before anything else. */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";

const { scripts, engines } = JSON.parse(readFileSync("package.json", "utf8"));
const tools = readdirSync("dist/tools").map((name) => `node dist/tools/${name}`);
/** What comes after `&&` in a script is not reached; many begin alike. */
const commands = new Set(
  [...Object.values<string>(scripts), ...tools].map((each) => each.split(" && ")[0] ?? ""),
);

/** Makes a process, and those that it starts, take themselves for Node 18. */
const old = path.join(mkdtempSync(path.join(tmpdir(), "burgee-test-")), "old.cjs");
writeFileSync(
  old,
  'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } });',
);

async function runOnNode18(command: string): Promise<{ code: number; out: string; err: string }> {
  const modules = path.resolve("node_modules/.bin");
  const env = {
    ...process.env,
    PATH: `${modules}${path.delimiter}${process.env.PATH}`,
    NODE_OPTIONS: `--require=${old}`,
  };
  return new Promise((resolve) => {
    const child = execFile("sh", ["-c", command], { env }, (_, out, err) =>
      resolve({ code: child.exitCode ?? 0, out, err }),
    );
  });
}

describe.concurrent("on Node 18", () => {
  it.each([...commands])("%s is refused in one line", async (command) => {
    const { code, out, err } = await runOnNode18(command);

    const lines = err.split("\n").filter((line) => line !== "" && !line.startsWith("npm "));
    const needed = engines.node.replace(">=", "");
    expect(code).toBe(1);
    expect(lines).toEqual([`burgee: Node ${needed} or newer is required, but this is Node 18.20.8`]);
    expect(out.split("\n").filter((line) => line !== "" && !line.startsWith(">"))).toEqual([]);
  });
});
