/** OpenFeature's provider of flagd for JavaScript, with Burgee's document. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { fetchPackages } from "../../infra/build/fetch.mjs";

import { demoKey } from "../support/sdks.ts";
import { startServerWith } from "../support/server.ts";

interface OpenFeature {
  setProviderAndWait(domain: string, provider: object): Promise<void>;
  getClient(domain: string): {
    getStringValue(flag: string, fallback: string, context: object): Promise<string>;
  };
  clearProviders(): Promise<void>;
}

const modules = fetchPackages("openfeature", [
  "@openfeature/flagd-provider@0.16.1",
  "@openfeature/server-sdk@1.23.0",
  "@grpc/grpc-js@1.14.7",
]);
const load = createRequire(path.resolve(modules, "any.js"));
const { FlagdProvider }: { FlagdProvider: new (options: object) => object } = load(
  "@openfeature/flagd-provider",
);
const { OpenFeature }: { OpenFeature: OpenFeature } = load("@openfeature/server-sdk");

async function open() {
  const server = await startServerWith({ DOCUMENT_CACHE_SECONDS: "0" });
  onTestFinished(async () => {
    await OpenFeature.clearProviders();
    await server.kill();
  });
  return server.url;
}

it("evaluates the document from a file, and follows when a job writes it again", async () => {
  const url = await open();
  const file = path.join(mkdtempSync(path.join(tmpdir(), "burgee-test-")), "flagd.json");
  const write = async () => {
    const response = await fetch(`${url}/api/projects/default/environments/production/flagd.json`, {
      headers: { authorization: demoKey },
    });
    writeFileSync(file, await response.text());
  };
  await write();
  await OpenFeature.setProviderAndWait(
    "file",
    new FlagdProvider({ resolverType: "in-process", offlineFlagSourcePath: file }),
  );
  const client = OpenFeature.getClient("file");
  const variant = () => client.getStringValue("checkout", "none", { targetingKey: "u" });
  expect(["blue", "green"]).toContain(await variant());

  const changed = await fetch(`${url}/api/admin/projects/default/features/checkout/variants?by=name`, {
    method: "PATCH",
    headers: { authorization: demoKey, "content-type": "application/json" },
    body: JSON.stringify([{ op: "replace", path: "", value: { amber: { weight: 1000 } } }]),
  });
  await write();

  expect(changed.status).toBe(200);
  await expect.poll(variant, { timeout: 15_000 }).toBe("amber");
}, 30_000);

it("cannot load the document by HTTP: it asks Burgee's address by gRPC", async () => {
  const { hostname: host, port } = new URL(await open());
  const provider = new FlagdProvider({
    resolverType: "in-process",
    host,
    port: Number(port),
    deadlineMs: 2000,
  });

  await expect(OpenFeature.setProviderAndWait("http", provider)).rejects.toThrow();
}, 30_000);
