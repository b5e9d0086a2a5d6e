/** Builds what Lambda runs, and the tools of this repository. */
import { rmSync } from "node:fs";
import { build } from "esbuild";

/**
 * One minified file for each function, with its source map apart.
 * @satisfies {import("esbuild").BuildOptions}
 */
export const functionsBuild = {
  entryPoints: ["functions/tags.ts", "functions/variants.ts"],
  outdir: "dist",
  outExtension: { ".js": ".cjs" },
  bundle: true,
  minify: true,
  platform: "node",
  target: "node20",
  // CommonJS starts faster than ES modules do; the packages' own ES modules are what can be shaken to size.
  format: "cjs",
  mainFields: ["module", "main"],
  sourcemap: "external",
  legalComments: "none",
};

/**
 * The tools run from here, with the packages that are installed here.
 * @satisfies {import("esbuild").BuildOptions}
 */
const toolsBuild = {
  entryPoints: { start: "infra/local/main.ts", "engine-process": "infra/local/engine-process.ts" },
  outdir: "dist/tools",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  packages: "external",
  platform: "node",
  target: "node20",
  format: "esm",
};

if (process.argv[1] === import.meta.filename) {
  rmSync("dist", { recursive: true, force: true });
  await Promise.all([build(functionsBuild), build(toolsBuild)]);
}
