/** `npm run bench`: builds the functions and this program from the current sources, and runs it. */
import { build } from "esbuild";
import { buildAll } from "../../esbuild.config.mjs";

/** @type {import("esbuild").BuildOptions} */
const options = {
  outdir: "dist/bench",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
};

await buildAll();
await build({
  ...options,
  entryPoints: {
    main: "test/bench/main.ts",
    "engine-process": "test/bench/engine/process.ts",
    caller: "test/bench/hot/caller.ts",
    probe: "test/bench/cold/probe.ts",
  },
  packages: "external",
});
// The patch without I/O is measured bundled, as in the functions.
await build({
  ...options,
  entryPoints: { "patch-program": "test/bench/patch/program.ts" },
  mainFields: ["module", "main"],
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
});
await import(new URL("../../dist/bench/main.mjs", import.meta.url).href);
