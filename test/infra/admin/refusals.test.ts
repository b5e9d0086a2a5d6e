/** What the commands for projects and features refuse, and in which words. */
import { expect, it } from "vitest";
import { misused, refused, useCommandLine } from "./command-line.ts";

const line = await useCommandLine({
  projects: [
    { id: "default", environments: ["development", "production"] },
    { id: "empty", environments: [] },
  ],
  features: [{ name: "checkout", project: "default" }],
});

const nameRule = `must be URL-friendly: letters, digits and -_.!~*'() only, and not "." or ".."`;

it.concurrent.each([
  ['there is no feature "chekout" (did you mean "checkout"?)', "feature show chekout"],
  ['there is no feature "something-else"', "feature show something-else"],
  ['there is no feature "Checkout" (did you mean "checkout"?)', "feature delete Checkout"],
  ['the feature "checkout" already exists, in project "default"', "feature create checkout --project empty"],
  [
    'there is no project "defalt" (did you mean "default"?): `project put` creates one',
    "feature create x --project defalt",
  ],
  ['there is no project "emty" (did you mean "empty"?)', "feature list --project emty"],
])("%s", async (message, given) => {
  expect(await line.run(...given.split(" "))).toEqual(refused(message));
});

it.concurrent.each([
  ['environment "a" is listed twice', "project put p a a"],
  [
    "the project's environments/0 must not be one of __proto__, constructor, prototype",
    "project put p prototype",
  ],
  ["the project's id must have at most 2040 bytes", `project put ${"p".repeat(2041)} a`],
  ["the feature's name must have at most 2040 bytes", `feature create ${"x".repeat(2041)} --project default`],
  ...["a/b", ".", "..", "ä", "50%"].map((name) => [
    `the feature's name "${name}" ${nameRule}`,
    `feature create ${name} --project default`,
  ]),
])("%s", async (message = "", given = "") => {
  expect(await line.run(...given.split(" "))).toEqual(misused(message));
});

it("a feature's name with a space is refused when it is created, not when it is stored already", async () => {
  await line.burgee.store({
    features: [{ name: "a b", project: "empty" }],
    projects: [{ id: "empty", environments: [] }],
  });

  const created = await line.run("feature", "create", "c d", "--project", "empty");

  expect(created).toEqual(misused(`the feature's name "c d" ${nameRule}`));
  expect(await line.run("feature", "show", "a b")).toMatchObject({ code: 0 });
});
