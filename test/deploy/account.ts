/** A folder in which the deployment commands run, with an account that is a file. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { runAtTerminal } from "../infra/clients/admin/command-line.ts";
import { runNode } from "../support/program.ts";

const program = path.resolve("dist/tools/deploy.mjs");
const env = {
  PATH: process.env.PATH,
  AWS_REGION: "us-east-1",
  NODE_OPTIONS: `--require "${path.resolve("test/deploy/clients.cjs")}"`,
};

/** A folder with the sources that a command reads, and an account. */
export function openAccount(account: object) {
  const folder = mkdtempSync(path.join(tmpdir(), "burgee-test-"));
  const at = (name: string) => path.join(folder, name);
  symlinkSync(path.resolve("infra"), at("infra"));
  const bin = ".cache/osls/node_modules/osls/bin";
  mkdirSync(at(bin), { recursive: true });
  cpSync("test/deploy/framework.cjs", at(`${bin}/serverless.js`));
  cpSync("infra/aws/osls/package-lock.json", at(".cache/osls/fetched"));
  const change = (changed: object) =>
    writeFileSync(at("account.json"), JSON.stringify({ events: [], failed: [], ...account, ...changed }));
  change({});
  return {
    change,
    write: (name: string, text: string) => writeFileSync(at(name), text),
    link: (name: string, target: string) => symlinkSync(target, at(name)),
    remove: (name: string) => rmSync(at(name), { recursive: true }),
    read: (name: string) => (existsSync(at(name)) ? readFileSync(at(name), "utf8") : undefined),
    run: (command: string, ...given: string[]) =>
      runNode([program, command, "--stage", "prod", ...given], { cwd: folder, env }),
    /** At a terminal, as a line of a shell. */
    type: (line: string, answer: () => string) =>
      runAtTerminal(`cd "$FOLDER" && ${line.replace("deploy", '"$NODE" "$PROGRAM" deploy')}`, answer, {
        ...env,
        FOLDER: folder,
        NODE: process.execPath,
        PROGRAM: program,
      }),
    calls: (): Record<string, string>[] =>
      readFileSync(at("calls.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
  };
}
