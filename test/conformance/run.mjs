/** `npm run conformance`: builds the program and the engine from the current sources, and runs it. */
import { build } from "esbuild";
import { functionsBuild } from "../../esbuild.config.mjs";

await build({
  entryPoints: ["test/conformance/main.ts"],
  outfile: "dist/conformance/main.mjs",
  ...{ bundle: true, packages: "external", platform: "node", target: functionsBuild.target, format: "esm" },
});
await import(new URL("../../dist/conformance/main.mjs", import.meta.url).href);
