/** The functions are loaded and invoked as by Lambda. */
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { expect, it } from "vitest";
import { loadFunctions } from "../../../infra/local/lambda.ts";
import { newFolder } from "../admin/command-line.ts";

/** A function of this source, which can be replaced. */
function load(source: string) {
  const folder = newFolder();
  const write = (text: string) => folder.file("things.cjs", Buffer.from(text));
  const file = write(source);
  const handler = `${path.relative(".", file).slice(0, -".cjs".length)}.run`;
  const declared = { name: "things", handler, timeoutMs: 10_000 };
  const { invoke, reload } = loadFunctions([declared]);
  return { write, reload, invoke: (event: object = {}) => invoke(declared, event as APIGatewayProxyEventV2) };
}

it("passes the remaining time of this invocation", async () => {
  const { invoke } = load("exports.run = async (_, context) => context");

  const { getRemainingTimeInMillis: remainingMs } = Object(await invoke());

  const first = remainingMs();
  await setTimeout(30);
  expect(first).toBeLessThanOrEqual(10_000);
  expect(first - remainingMs()).toBeGreaterThanOrEqual(25);
});

it("runs the new source after a reload, and reports one that fails to load", async () => {
  const { write, reload, invoke } = load("exports.run = async () => 1");

  write("exports.run = async () => 2");
  expect(await invoke()).toBe(1);
  reload();
  expect(await invoke()).toBe(2);
  write("throw new Error('inside')");
  expect(reload).toThrow("inside");
  await expect(invoke()).rejects.toThrow("inside");
});
