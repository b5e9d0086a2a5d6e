/** Kills a process that writes into a folder, over and over, and looks for what was acknowledged. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { buildSync } from "esbuild";
import { openFolder } from "../../../infra/engine/storage.ts";
import type { Item } from "../../../infra/engine/values.ts";

/** The program `writer.ts`, in a folder inside the repository, so that it finds its packages. */
export function buildWriter(): string {
  const outfile = path.resolve("dist/test/writer.mjs");
  buildSync({
    ...{ entryPoints: ["test/infra/engine/writer.ts"], outfile, bundle: true, packages: "external" },
    ...{ platform: "node", format: "esm", logLevel: "error" },
  });
  return outfile;
}

/** Runs what `buildWriter` has built. Returns the acknowledged numbers that are missing, and how many there are. */
export async function killRepeatedly(program: string, folder: string, kills: number) {
  const acknowledged: string[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const writer = spawn(process.execPath, [program, folder, String(kill * 1_000_000)]);
    let out = "";
    writer.stdout.on("data", (some) => {
      out += some;
    });
    await once(writer.stdout, "data");
    await setTimeout(Math.random() * 100);
    writer.kill("SIGKILL");
    await once(writer, "close");
    // The last line may be cut.
    acknowledged.push(...out.split("\n").slice(0, -1));
  }
  const engine = await openFolder(folder);
  const stored = new Set<string>();
  let start: object = {};
  do {
    const { body } = await engine.call("Scan", { TableName: "written", ...start });
    for (const { sk } of body.Items as readonly Item[]) if (sk && "S" in sk) stored.add(sk.S);
    start = body.LastEvaluatedKey ? { ExclusiveStartKey: body.LastEvaluatedKey } : {};
  } while (Object.keys(start).length > 0);
  await engine.close();
  return { acknowledged: acknowledged.length, missing: acknowledged.filter((one) => !stored.has(one)) };
}
