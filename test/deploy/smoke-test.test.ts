/** What the test of a deployment reports of calls that cannot be made from here. */
import { afterEach, expect, it, vi } from "vitest";
import { smokeTest } from "../../infra/aws/smoke-test.ts";
import { startAws } from "./fake-aws.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it("names each call that could not be tested, and does not pass if none could", async () => {
  const aws = await startAws();
  vi.stubEnv("AWS_ENDPOINT_URL", aws.endpoint);
  vi.stubEnv("AWS_ACCESS_KEY_ID", "local");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "local");
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  const stage = { name: "dev", region: "us-east-1", stack: "burgee-dev" };
  const outputs = { Url: "http://127.0.0.1:1" };

  const stack = { status: "UPDATE_COMPLETE", isProtected: false, outputs, parameters: {} };
  const tested = smokeTest(stage, stack);

  await expect(tested).rejects.toThrow("it is deployed, but nothing of it was tested");
  aws.close();
  const lines = printed.mock.calls.map(([line]) => String(line));
  expect(lines).toHaveLength(6);
  for (const name of ["tags", "variants", "read"]) {
    expect(lines).toContainEqual(
      expect.stringContaining(`burgee: not tested from here: the calls of burgee-dev-${name}: `),
    );
  }
});
