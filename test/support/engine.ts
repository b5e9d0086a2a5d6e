/** Starts the DynamoDB engine of a test run: dynalite, or DynamoDB Local for `npm run test:dynamodb-local`. */
import type { TestProject } from "vitest/node";
import { startDynalite } from "./dynalite.ts";
import { startDynamoDbLocal } from "./dynamodb-local.ts";

declare module "vitest" {
  interface ProvidedContext {
    engine: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const start = project.vite.config.mode === "dynamodb-local" ? startDynamoDbLocal : startDynalite;
  const { endpoint, stop } = await start();
  project.provide("engine", endpoint);
  return stop;
}
