/** One minified file for each function, with its source map apart: all that Lambda needs to run it. */
import { rmSync } from "node:fs";
import { build } from "esbuild";

rmSync("dist", { recursive: true, force: true });

await build({
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
  logLevel: "info",
});
