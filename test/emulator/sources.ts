/** Makes a copy of the sources, to change it and to deploy it with the operator's commands. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { parse, stringify } from "yaml";
import { fetchPython } from "../../infra/build/fetch.mjs";

export interface Ending {
  code: number | null;
  out: string;
  err: string;
}

export interface Sources {
  /** `npm run SCRIPT -- ...` */
  npm(script: string, ...given: string[]): Promise<Ending>;
  /** Runs lines in bash, with the AWS CLI. */
  shell(lines: string, variables?: Readonly<Record<string, string>>): Promise<Ending>;
  /** Edits a file until `restore`. */
  change(file: string, edit: (content: string) => string): void;
  /** Adds a resource that waits for a signal that never comes: the deployment fails after all else has changed. */
  addFailing(): void;
  restore(): void;
  /** Writes a file of the operator's own, and returns its name. */
  write(name: string, content: string): string;
  /** As a deployment names the commit that it is of. */
  commit(): Promise<Ending>;
  remove(): void;
}

const copied = [
  ".gitignore",
  "functions",
  "lib",
  "infra",
  "serverless.yml",
  "package.json",
  "esbuild.config.mjs",
];

const failing = `
    Handle:
      Type: AWS::CloudFormation::WaitConditionHandle
    Never:
      Type: AWS::CloudFormation::WaitCondition
      DependsOn: [HttpApiIntegrationTags, HttpApiIntegrationVariants]
      Properties: { Handle: { Ref: Handle }, Timeout: "1" }
`;

export function copySources(endpoint: string): Sources {
  const folder = mkdtempSync(path.join(tmpdir(), "burgee-test-"));
  const restore = () => {
    for (const name of copied) cpSync(name, path.join(folder, name), { recursive: true });
    leaveOut();
  };
  // All copies share what deployments fetch.
  mkdirSync(".cache", { recursive: true });
  for (const name of ["node_modules", ".cache"]) symlinkSync(path.resolve(name), path.join(folder, name));
  const env = environment(endpoint);
  restore();

  function change(file: string, edit: (content: string) => string): void {
    const changed = path.join(folder, file);
    const before = readFileSync(changed, "utf8");
    const after = edit(before);
    if (after === before) throw new Error(`the edit of ${file} changed nothing`);
    writeFileSync(changed, after);
  }

  /** Removes what the emulator's CloudFormation does not support: saved queries, and alarms on an expression. */
  function leaveOut(): void {
    change("serverless.yml", (content) => content.replace(/^.*yml\):queries.*\n/m, ""));
    change("infra/monitoring.yml", (content) => {
      const monitoring = parse(content, { merge: true });
      for (const { Resources = {} } of Object.values<{ Resources?: object }>(monitoring.alarms)) {
        Reflect.deleteProperty(Resources, "ServerErrorsAlarm");
      }
      return stringify(monitoring);
    });
  }

  return {
    change,
    restore,
    addFailing: () =>
      change("infra/core.yml", (content) => content.replace("\n  extensions:", `${failing}\n  extensions:`)),
    write(name, content) {
      writeFileSync(path.join(folder, name), content);
      return name;
    },
    commit() {
      const identity = "-c user.name=test -c user.email=test@localhost";
      return run("bash", ["-c", `git init -q; git add .; git ${identity} commit -qm test`]);
    },
    remove: () => rmSync(folder, { recursive: true }),
    npm: (script, ...given) => run("npm", ["run", "--silent", script, "--", ...given]),
    shell(lines, variables = {}) {
      const PATH = `${fetchPython("aws", "test/emulator/aws.txt")}:${env.PATH}`;
      // Version 1 of the CLI, the only one on PyPI, does not read AWS_REGION.
      const version1 = { AWS_DEFAULT_REGION: env.AWS_REGION };
      return run("bash", ["-euo", "pipefail", "-c", lines], { PATH, ...version1, ...variables });
    },
  };

  async function run(command: string, given: string[], variables = {}): Promise<Ending> {
    const child = spawn(command, given, { cwd: folder, env: { ...env, ...variables } });
    child.stdin.end();
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    return { code: child.exitCode, out, err };
  }
}

/** Points AWS clients at the emulator, without the developer's own AWS settings. */
function environment(endpoint: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("AWS_"));
  return {
    ...Object.fromEntries(own),
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_REGION: "us-east-1",
    AWS_CONFIG_FILE: "/dev/null",
    AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
    NODE_OPTIONS: `--require ${path.resolve("test/emulator/resolve-localhost.cjs")}`,
  };
}
