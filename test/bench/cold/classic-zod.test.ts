/** Zod's classic build lacks functions of the mini build, and the bench would fail where it loads the schemas with it. */
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import classic from "./classic-zod.cjs";

it("has each function of Zod that the sources call", () => {
  const sources = ["grep", ["-rhoE", "\\bz\\.\\w+\\(", "lib", "functions"]] as const;
  const called = new Set(execFileSync(...sources, { encoding: "utf8" }).match(/\w+(?=\()/g));

  expect([...called].filter((name) => !(name in classic))).toEqual([]);
});
