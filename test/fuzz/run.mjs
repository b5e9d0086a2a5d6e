/** `npm run fuzz`: builds the local server and this program from the current sources, and runs it. */
import { build } from "esbuild";
import { buildAll, functionsBuild } from "../../esbuild.config.mjs";

await buildAll();
await build({
  entryPoints: { main: "test/fuzz/main.ts", probe: "test/fuzz/probe.ts" },
  outdir: "dist/fuzz",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  packages: "external",
  // Node finds no named exports in the package's main entry.
  alias: functionsBuild.alias,
  platform: "node",
  target: "node20",
  format: "esm",
});
await import(new URL("../../dist/fuzz/main.mjs", import.meta.url).href);
