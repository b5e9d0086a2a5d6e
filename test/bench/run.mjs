/** `npm run bench`: builds the functions, what they are compared with and this program from the current sources, and runs it. */
import { build } from "esbuild";
import { buildAll, functionsBuild } from "../../esbuild.config.mjs";

/** @satisfies {import("esbuild").BuildOptions} */
const shared = { bundle: true, packages: "external", platform: "node", target: functionsBuild.target };

/**
 * What most projects ship: unbundled packages in node_modules, with all of the SDK and Zod's classic build, and an init
 * that prepares no request. In its favour, our own sources are bundled into one CommonJS file here too.
 * @type {import("esbuild").BuildOptions}
 */
const usual = {
  ...shared,
  entryPoints: functionsBuild.entryPoints,
  outdir: "dist/bench/usual",
  outExtension: functionsBuild.outExtension,
  format: "cjs",
  alias: { "zod/mini": "./test/bench/cold/classic-zod.cjs" },
  footer: { js: "module.exports.handler = module.exports.open(process.env);" },
};

/** What careful projects ship: one minified bundle. It differs from ours in the configuration of the SDK alone. */
const plain = { ...functionsBuild, outdir: "dist/bench/plain", plugins: [] };

await buildAll();
await build(usual);
await build(plain);
await build({
  ...shared,
  entryPoints: {
    main: "test/bench/main.ts",
    sandbox: "test/bench/sandbox/process.ts",
    patch: "test/bench/patch/program.ts",
  },
  outdir: "dist/bench",
  outExtension: { ".js": ".mjs" },
  alias: functionsBuild.alias,
  format: "esm",
});
await import(new URL("../../dist/bench/main.mjs", import.meta.url).href);
