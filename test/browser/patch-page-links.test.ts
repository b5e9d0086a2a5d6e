/** The page that previews a patch, opened by hostile links. */
import { describe, expect, it } from "vitest";
import { strangers } from "./chromium.ts";
import {
  expectEnabled,
  expectNotices,
  expectSummary,
  follow,
  key,
  patchText,
  proposal,
  show,
  usePage,
  writes,
} from "./patch-page.ts";

const opened = usePage("reads");

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("a link is no proposal, and nothing of it is used,", () => {
  it.each<[string, (link: Record<string, string>) => Record<string, string> | string]>([
    ["without an ETag", ({ etag: _, ...others }) => others],
    ["with the ETag *", (link) => ({ ...link, etag: "*" })],
    ["with a list of ETags", (link) => ({ ...link, etag: `${link.etag}, "abc"` })],
    ["with a weak ETag", (link) => ({ ...link, etag: `W/${link.etag}` })],
    ["with an ETag of other characters", (link) => ({ ...link, etag: "a b" })],
    ["with half an ETag", (link) => ({ ...link, etag: '"abc' })],
    ["with two ETags", (link) => `${new URLSearchParams(link)}&etag=%22abc%22`],
    ["with two patches", (link) => `${new URLSearchParams(link)}&patch=[{}]`],
    ["with an address", (link) => ({ ...link, address: "https://attacker.example" })],
    ["with a key", (link) => ({ ...link, key: "a key of the attacker's" })],
    ["with a member that is of every object", (link) => `${new URLSearchParams(link)}&__proto__=1`],
    ["without a feature", ({ feature: _, ...others }) => others],
    ["without a project", ({ project: _, ...others }) => others],
    ["of another form", (link) => ({ ...link, by: "weight" })],
    ["whose patch is empty", (link) => ({ ...link, patch: "[]" })],
    ["whose patch is an object", (link) => ({ ...link, patch: '{"op":"remove","path":"/red"}' })],
    ["whose patch is null", (link) => ({ ...link, patch: "null" })],
    ["whose patch is text", (link) => ({ ...link, patch: '"[]"' })],
    ["whose patch is not JSON", (link) => ({ ...link, patch: "[<img src=x onerror=alert(1)>]" })],
    ["whose patch is deep", (link) => `${new URLSearchParams(link)}`.replace(/%5B.*%5D/, nested(3500))],
    ["whose reason is huge", (link) => ({ ...link, reason: "x".repeat(8000) })],
    ["of megabytes", (link) => ({ ...link, patch: JSON.stringify(["x".repeat(2_000_000)]) })],
    ["that is a heading's", () => "changes"],
    ["that is malformed", () => "%E0%A4%A&&=&#<script>alert(1)</script>"],
  ])("%s", async (_, change) => {
    const page = await follow(opened, change(await proposal(opened.server)));

    await expectNotices(page, /^The link is not a proposal\s/);
    expect(page.url()).toBe(`${opened.server.url}/patch`);
    expect(await patchText(page)).toEqual([]);
    for (const [name, value] of Object.entries({
      address: opened.server.url,
      key: "",
      feature: "",
      reason: "",
    })) {
      expect(await page.locator(`[name=${name}]`).inputValue(), name).toBe(value);
    }
    expect(opened.complaints).toEqual([]);
    expect(opened.requests.map((request) => request.resourceType()).join()).not.toMatch(/fetch|xhr/);
  });
});

it.each([
  [
    "markup and what reorders text",
    { patch: '[{"op":"<img src=x onerror=alert(1)>","path":"\u202e/0"}]' },
    /^Not valid: operation 0/,
  ],
  [
    "values that are no operations",
    { patch: '[null,7,"<b>",[[]],{"op":{},"path":["/"]}]' },
    /^Not valid: operation 0, 1, 2, 3, 4/,
  ],
  [
    "a prototype",
    { patch: '[{"op":"add","path":"/__proto__","value":{"__proto__":{"weight":1}}}]' },
    /fail|Not valid/,
  ],
  ["a reason with markup", { reason: '"><img src=x onerror=alert(1)>\u202egpj' }, /Burgee-Reason must have/],
  ["a long reason", { reason: "x".repeat(300) }, /Burgee-Reason must have at most 200/],
  ["a path as the environment", { environment: ".." }, /^\.\. is not a name/],
  ["a path as the feature", { feature: "../../../patch" }, /has no feature "\.\.\/\.\.\/\.\.\/patch"/],
  ["a query as the environment", { environment: "production/variants?x=#" }, /has no environment/],
  ["markup as the feature", { feature: "<img src=x onerror=alert(1)>" }, /has no feature "<img/],
])("shows %s as text, and applies nothing", async (_, change, summary) => {
  const images = await opened.page.locator("img").count();
  const page = await follow(opened, { ...(await proposal(opened.server)), ...change });
  page.on("dialog", (dialog) => opened.complaints.push(dialog.message()));
  await show(page, { key });

  await expectSummary(page, summary);
  await expectEnabled(page, "Apply", false);
  expect(await page.getByText("Copy a link").count()).toBe(0);
  expect(await page.getByText("Nothing has changed").count()).toBe(0);
  expect(await page.locator("img").count()).toBe(images);
  expect(await page.locator("body").innerText()).not.toContain("\u202e");
  expect(await page.getByLabel("JSON Patch").inputValue()).not.toContain("\u202e");
  expect(opened.complaints).toEqual([]);
  expect(writes(opened)).toEqual([]);
  expect(strangers(opened.requests, opened.server.url)).toEqual([]);
});
