import { startBurgee } from "burgee/local";
import type { TestProject } from "vitest/node";

export default async function setup(project: TestProject) {
  const { url, keys, stop } = await startBurgee();
  project.provide("burgee", { url, key: keys.demo });
  return stop;
}
declare module "vitest" {
  interface ProvidedContext {
    burgee: { url: string; key: string };
  }
}
