/** Tests that start a program start what is built from the sources as they are now. */
export { buildAll as default } from "../../esbuild.config.mjs";
