/** Builds the set-ups to measure: the functions as they are deployed, and those they are compared with. */
import path from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { functionsBuild } from "../../../esbuild.config.mjs";

export interface Setup {
  name: "burgee" | "usual" | "without warm-up";
  /** The file of a handler: "tags" or "variants". */
  fileOf(handler: string): string;
}

/** Replaces the warm-up: the init prepares no request. */
const withoutWarmUp: Plugin = {
  name: "without warm-up",
  setup: ({ onLoad }) =>
    onLoad({ filter: /lib\/store\/warm-up\.ts$/ }, () => ({
      contents: "export const warmUp = () => {};",
      loader: "ts",
    })),
};

/**
 * What most projects ship: unbundled packages in node_modules, with all of the SDK and Zod's classic build, and an init
 * that prepares no request. In its favour, our own sources are bundled into one CommonJS file here too.
 */
const usualBuild: BuildOptions = {
  entryPoints: functionsBuild.entryPoints,
  outdir: "dist/bench/usual",
  outExtension: functionsBuild.outExtension,
  bundle: true,
  packages: "external",
  platform: "node",
  target: functionsBuild.target,
  format: "cjs",
  alias: { "zod/mini": "./test/bench/cold/classic-zod.cjs" },
  plugins: [withoutWarmUp],
};

export async function buildSetups(): Promise<Setup[]> {
  await build(usualBuild);
  const plugins = [withoutWarmUp, ...functionsBuild.plugins];
  await build({ ...functionsBuild, plugins, sourcemap: false, outdir: "dist/bench/without-warm-up" });
  const within =
    (folder: string) =>
    (handler: string): string =>
      path.resolve(folder, `${handler}.cjs`);
  return [
    { name: "burgee", fileOf: within("dist") },
    { name: "usual", fileOf: within("dist/bench/usual") },
    { name: "without warm-up", fileOf: within("dist/bench/without-warm-up") },
  ];
}
