/** Runs the suite in its folder, by its own Vitest. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export interface Report {
  testResults: readonly {
    name: string;
    assertionResults: readonly {
      status: "passed" | "failed" | "skipped";
      ancestorTitles: readonly string[];
      title: string;
      failureMessages: readonly string[];
    }[];
  }[];
}

export async function runSuite(folder: string, endpoint: string): Promise<Report> {
  const results = mkdtempSync(path.join(tmpdir(), "burgee-conformance-"));
  const file = path.join(results, "report.json");
  const config = path.resolve("test/conformance/vitest.suite.ts");
  const program = path.join(folder, "node_modules/vitest/vitest.mjs");
  const options = ["--root", folder, "--config", config, "--reporter=json", `--outputFile=${file}`];
  const suite = spawn(process.execPath, [program, "run", ...options], {
    cwd: folder,
    env: {
      ...process.env,
      DYNAMODB_ENDPOINT: endpoint,
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  await once(suite, "close");
  const report = JSON.parse(readFileSync(file, "utf8"));
  rmSync(results, { recursive: true });
  return report;
}
