/** Builds the programs that tests start from the current sources. */
export { buildAll as default } from "../../esbuild.config.mjs";
