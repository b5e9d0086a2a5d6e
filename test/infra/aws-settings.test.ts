import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { isOfAws } from "../../infra/aws-settings.ts";

it("an endpoint of AWS is recognised in every partition that the SDK knows", () => {
  const file = "node_modules/@aws-sdk/core/dist-es/submodules/client/util-endpoints/lib/aws/partitions.js";
  const suffixes = readFileSync(file, "utf8").matchAll(/"(?:dnsSuffix|dualStackDnsSuffix)": "([^"]+)"/g);
  const domains = new Set([...suffixes].map(([, domain]) => domain));

  expect(domains.size).toBeGreaterThan(5);
  for (const domain of domains)
    expect([domain, isOfAws(`https://dynamodb.region.${domain}`)]).toEqual([domain, true]);
});

it.each([
  ["https://dynamodb.eu-central-1.amazonaws.com.:443/", true],
  ["https://vpce-1.dynamodb.eu-central-1.vpce.amazonaws.com", true],
  ["http://127.0.0.1:8000", false],
  ["http://localhost:4566", false],
  ["http://amazonaws.com.example", false],
])("%s is of AWS: %j", (endpoint, isAws) => {
  expect(isOfAws(endpoint)).toBe(isAws);
});
