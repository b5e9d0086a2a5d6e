/** What the test of a deployment reports if the functions cannot be called from here. */
import { afterEach, expect, it, vi } from "vitest";
import { smokeTest } from "../../infra/aws/smoke-test.ts";
import { startAws } from "./fake-aws.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

it("does not pass, and says why", async () => {
  const aws = await startAws();
  vi.stubEnv("AWS_ENDPOINT_URL", aws.endpoint);
  vi.stubEnv("AWS_ACCESS_KEY_ID", "local");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "local");
  const stage = { name: "dev", region: "us-east-1", stack: "burgee-dev" };
  const outputs = { Url: "http://127.0.0.1:1" };

  const stack = { status: "UPDATE_COMPLETE", outputs, parameters: {} };
  const tested = smokeTest(stage, stack);

  await expect(tested).rejects.toThrow(
    "it is deployed, but was not tested: the call of AWS failed: AccessDenied",
  );
  aws.close();
});
