/** Starts the DynamoDB engine of a test run: the embedded one, or DynamoDB Local for `npm run test:dynamodb-local`. */
import type { TestProject } from "vitest/node";
import { startEngine } from "../../infra/local/engine.ts";
import { startDynamoDbLocal } from "./dynamodb-local.ts";

declare module "vitest" {
  interface ProvidedContext {
    engine: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const start = project.vite.config.mode === "dynamodb-local" ? startDynamoDbLocal : startEngine;
  const { endpoint, stop } = await start();
  project.provide("engine", endpoint);
  return stop;
}
