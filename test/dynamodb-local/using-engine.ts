/** Finds the test files that can call the engine of the run: their bundles, without unused code, still inject it. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

export async function filesUsingEngine(folders: readonly string[]): Promise<string[]> {
  const entryPoints = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => path.join(folder, name)),
  );
  const outdir = path.resolve("dist/test");
  const { outputFiles } = await build({
    ...{ entryPoints, outdir, outbase: ".", write: false, bundle: true, treeShaking: true },
    ...{ platform: "node", format: "esm", packages: "external", external: ["burgee/*"] },
    ...{ loader: { ".yml": "text" }, logLevel: "error" },
  });
  return outputFiles
    .filter(({ text }) => /\binject\d*\("engine"\)/.test(text))
    .map(({ path: file }) => path.relative(outdir, file).replace(/\.js$/, ".ts"))
    .sort();
}
