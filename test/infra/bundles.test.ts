/** What is deployed stays small: a careless import can double a cold start without breaking any other test. */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

it.each(["tags", "variants"])("the bundle of %s is at most 70 KB, compressed", (name) => {
  const bundle = readFileSync(`dist/${name}.cjs`);

  expect(gzipSync(bundle).length / 1024).toBeLessThan(70);
});

it("the bundle of tags has nothing of the patch library", () => {
  expect(readFileSync("dist/tags.cjs", "utf8")).not.toContain("OPERATION_PATH_INVALID");
  expect(readFileSync("dist/variants.cjs", "utf8")).toContain("OPERATION_PATH_INVALID");
});
