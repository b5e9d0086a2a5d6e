/** What the commands for projects and features refuse, and in which words. */
import { expect, it } from "vitest";
import { refused, useCommandLine } from "./command-line.ts";

const line = await useCommandLine({
  projects: [
    { id: "default", environments: ["development", "production"] },
    { id: "empty", environments: [] },
  ],
  features: [{ name: "checkout", project: "default" }],
});

it.concurrent.each([
  ['environment "a" is there twice', "project put p a a"],
  [
    "the project's environments/0 must not be one of __proto__, constructor, prototype",
    "project put p prototype",
  ],
  ["the project's id must have at most 2040 bytes", `project put ${"p".repeat(2041)} a`],
  ['there is no feature "chekout" (did you mean "checkout"?)', "feature show chekout"],
  ['there is no feature "something-else"', "feature show something-else"],
  ['there is no feature "Checkout" (did you mean "checkout"?)', "feature delete Checkout"],
  ['there is a feature "checkout" already, in project "default"', "feature create checkout --project empty"],
  [
    'there is no project "defalt" (did you mean "default"?): `project put` makes one',
    "feature create x --project defalt",
  ],
  ["the feature's name must have at most 2040 bytes", `feature create ${"x".repeat(2041)} --project default`],
  ['there is no project "emty" (did you mean "empty"?)', "feature list --project emty"],
])("%s", async (message, given) => {
  expect(await line.run(...given.split(" "))).toEqual(refused(message));
});
