/** Repeatedly kills a process that writes into a folder, and finds the acknowledged writes that are missing. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { buildSync } from "esbuild";
import { openFolder } from "../../../infra/engine/storage.ts";
import type { Item } from "../../../infra/engine/values.ts";

/** Bundles `writer.ts` into a folder inside the repository, so that it finds its packages. Returns the program's path. */
export function buildWriter(): string {
  const outfile = path.resolve("dist/test/writer.mjs");
  buildSync({
    entryPoints: ["test/infra/engine/writer.ts"],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  return outfile;
}

/** Runs what `buildWriter` has built. Fails if it ends before it is killed, as where it cannot open the folder. */
export async function killRepeatedly(program: string, folder: string, kills: number) {
  const acknowledged: string[] = [];
  for (let kill = 0; kill < kills; kill++) {
    // Each process writes numbers of its own.
    const first = String(kill * 1_000_000);
    const writer = spawn(process.execPath, [program, folder, first], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const closed = once(writer, "close");
    let out = "";
    writer.stdout.on("data", (some) => {
      out += some;
    });
    await Promise.race([once(writer.stdout, "data"), closed]);
    await setTimeout(Math.random() * 100);
    writer.kill("SIGKILL");
    const [code, signal] = await closed;
    if (signal !== "SIGKILL") throw new Error(`The writer ended with ${code ?? signal}: ${out.slice(-200)}`);
    // The last line may be cut.
    acknowledged.push(...out.split("\n").slice(0, -1));
  }
  return { acknowledged, missing: await missingIn(folder, acknowledged) };
}

/** Those of the acknowledged numbers whose items the folder lacks, or does not have whole. */
export async function missingIn(folder: string, acknowledged: readonly string[]): Promise<string[]> {
  const engine = await openFolder(folder);
  const stored = new Set<string>();
  let start: object = {};
  do {
    const { body } = await engine.call("Scan", { TableName: "written", ...start });
    for (const { sk, text } of body.Items as readonly Item[])
      if (sk && "S" in sk && text && "S" in text && text.S.length === 1000) stored.add(sk.S);
    start = body.LastEvaluatedKey ? { ExclusiveStartKey: body.LastEvaluatedKey } : {};
  } while (Object.keys(start).length > 0);
  await engine.close();
  return acknowledged.filter((number) => !stored.has(number));
}
