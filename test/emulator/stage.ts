/**
 * Opens a stage as an operator: a copy of the sources, the commands, and an empty account of MiniStack, an emulator of
 * AWS without Docker, which runs the functions with the Node 24 of its PATH.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fetchFramework } from "../../infra/aws/framework.ts";
import { fetchPython } from "../../infra/build/fetch.mjs";
import { freePort, untilItAnswers } from "../support/listening.ts";
import { fetchNode24 } from "../support/node-24.mjs";
import { runProgram } from "../support/program.ts";

const fetchEmulator = () => fetchPython("ministack", "test/emulator/requirements.txt");
const fetchAwsCli = () => fetchPython("aws", "test/emulator/aws.txt");

/** Before the first test, as the test files run side by side. */
export default function fetchAll(): void {
  for (const fetch of [fetchFramework, fetchEmulator, fetchAwsCli, fetchNode24]) fetch();
}

/** An output of the stage, as the command printed it; empty if it printed none. */
export const printedBy = (out: string, output: string): string =>
  new RegExp(`^${output}: (\\S+)$`, "m").exec(out)?.[1] ?? "";

export type Stage = Awaited<ReturnType<typeof openStage>>;

const copied = [
  ".gitignore",
  "functions",
  "lib",
  "infra",
  "serverless.yml",
  "package.json",
  "esbuild.config.mjs",
];

export async function openStage(name: string) {
  const { endpoint, stop } = await startEmulator();
  const folder = mkdtempSync(path.join(tmpdir(), "burgee-test-"));
  // Copies share what deployments fetch.
  for (const name of ["node_modules", ".cache"]) symlinkSync(path.resolve(name), path.join(folder, name));
  const env = environment(endpoint);

  function edit(file: string, edit: (content: string) => string): void {
    const edited = path.join(folder, file);
    const before = readFileSync(edited, "utf8");
    const after = edit(before);
    if (after === before) throw new Error(`the edit of ${file} changed nothing`);
    writeFileSync(edited, after);
  }

  function restore(): void {
    for (const name of copied) cpSync(name, path.join(folder, name), { recursive: true });
    // The emulator's CloudFormation supports neither saved queries nor alarms on an expression.
    edit("serverless.yml", (content) => content.replace(/^.*monitoring\.yml.*\n/m, ""));
    // Its IAM knows neither which change set a call is about nor whose bucket; test/deploy simulates that.
    edit("infra/aws/bootstrap.yml", (content) =>
      content
        .replace(/^ +Condition:\n.*\n +StringLike:\n.*ChangeSetName":\n.*\n.*-rollback\/.*\n/m, "")
        .replaceAll(/^ +Condition: .*aws:ResourceAccount.*\n/gm, ""),
    );
    // Nor of which items a query of an index is.
    for (const file of ["infra/aws/bootstrap.yml", "infra/aws/roles.yml"]) {
      edit(file, (content) => content.replaceAll(/^ +"Null": .*\n/gm, ""));
    }
    // Its addresses and permissions take effect at once.
    edit("infra/aws/smoke-test.ts", (content) => content.replace("30_000", "5000"));
  }

  /** Runs lines in bash, with the AWS CLI. */
  const shell = (lines: string, variables?: NodeJS.ProcessEnv) =>
    runProgram("bash", ["-euo", "pipefail", "-c", lines], { cwd: folder, env: { ...env, ...variables } });
  /** Runs a script with `--stage`. */
  const npm = (script: string, ...given: string[]) =>
    runProgram("npm", ["run", "--silent", script, "--", "--stage", name, ...given], { cwd: folder, env });

  restore();
  return {
    /** The emulator's endpoint. */
    endpoint,
    shell,
    npm,
    restore,
    /** Makes what a stage needs, as an administrator. */
    bootstrap: (stage = name) =>
      shell(`aws cloudformation deploy --stack-name people-burgee-${stage} --template-file infra/aws/bootstrap.yml \\
        --capabilities CAPABILITY_NAMED_IAM --parameter-overrides Stage=${stage}`),
    async deploy(...given: string[]) {
      const ended = await npm("deploy", "--yes", ...given);
      return { ...ended, url: printedBy(ended.out, "Url"), table: printedBy(ended.out, "TableName") };
    },
    /** Restores all files, and edits one. */
    change(file: string, edited: (content: string) => string): void {
      restore();
      edit(file, edited);
    },
    /** Commits the sources, as a deployment names the commit that it is of. */
    commit: () =>
      shell("git init -q; git add .; git -c user.name=test -c user.email=test@localhost commit -qm test"),
    async close(): Promise<void> {
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Points AWS clients at the emulator, without the developer's own AWS settings. */
function environment(endpoint: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("AWS_"));
  return {
    ...Object.fromEntries(own),
    PATH: `${fetchAwsCli()}:${process.env.PATH}`,
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_REGION: "us-east-1",
    // Version 1 of the CLI, the only one on PyPI, does not read AWS_REGION.
    AWS_DEFAULT_REGION: "us-east-1",
    AWS_CONFIG_FILE: "/dev/null",
    AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
    NODE_OPTIONS: `--require ${path.resolve("test/emulator/resolve-localhost.cjs")}`,
  };
}

async function startEmulator() {
  const folder = mkdtempSync(path.join(tmpdir(), "burgee-test-"));
  const port = await freePort();
  const child = spawn(path.join(fetchEmulator(), "ministack"), [], {
    stdio: "ignore",
    env: {
      PATH: `${fetchNode24().bin}:${process.env.PATH}`,
      HOME: folder,
      TMPDIR: folder,
      BIND_HOST: "127.0.0.1",
      GATEWAY_PORT: String(port),
      MINISTACK_HOST: "localhost",
      LAMBDA_EXECUTOR: "local",
      // Enforces the roles of the functions.
      AUTH: "true",
      NODE_OPTIONS: `--require ${path.resolve("test/emulator/resolve-cjs.cjs")}`,
    },
  });
  const endpoint = `http://127.0.0.1:${port}`;
  await untilItAnswers("The emulator", endpoint, () => child.exitCode);
  return {
    endpoint,
    async stop() {
      const exited = once(child, "exit");
      child.kill();
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
