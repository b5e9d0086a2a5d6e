/** The page that previews a patch, opened by hostile links. */
import { describe, expect, it } from "vitest";
import { strangers } from "./chromium.ts";
import { key, usePage } from "./patch-page.ts";

const ui = usePage("reads");

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("a link is no proposal, and nothing of it is used,", () => {
  it.each<[string, (link: Record<string, string>) => Record<string, string> | string]>([
    ["without an ETag", ({ etag: _, ...others }) => others],
    ["with the ETag *", (link) => ({ ...link, etag: "*" })],
    ["with a list of ETags", (link) => ({ ...link, etag: `${link.etag}, "abc"` })],
    ["with a weak ETag", (link) => ({ ...link, etag: `W/${link.etag}` })],
    ["with two ETags", (link) => `${new URLSearchParams(link)}&etag=%22abc%22`],
    ["with an address", (link) => ({ ...link, address: "https://attacker.example" })],
    ["with a key", (link) => ({ ...link, key: "a key of the attacker's" })],
    ["with a member that is of every object", (link) => `${new URLSearchParams(link)}&__proto__=1`],
    ["without a feature", ({ feature: _, ...others }) => others],
    ["without a project", ({ project: _, ...others }) => others],
    ["of another form", (link) => ({ ...link, by: "weight" })],
    ["whose patch is empty", (link) => ({ ...link, patch: "[]" })],
    ["whose patch is an object", (link) => ({ ...link, patch: '{"op":"remove","path":"/red"}' })],
    ["whose patch is not JSON", (link) => ({ ...link, patch: "[<img src=x onerror=alert(1)>]" })],
    ["whose patch is deep", (link) => `${new URLSearchParams(link)}`.replace(/%5B.*%5D/, nested(3500))],
    ["whose reason is huge", (link) => ({ ...link, reason: "x".repeat(8000) })],
    ["that is a heading's", () => "changes"],
    ["that is malformed", () => "%E0%A4%A&&=&#<script>alert(1)</script>"],
  ])("%s", async (_, change) => {
    const page = await ui.follow(change(await ui.proposal()));

    await ui.expectNotices(/^The link is not a proposal\s/);
    expect(page.url()).toBe(`${ui.server.url}/patch`);
    expect(await ui.patchText()).toEqual([]);
    for (const [name, value] of Object.entries({
      key: "",
      feature: "",
      reason: "",
    })) {
      expect(await page.locator(`[name=${name}]`).inputValue(), name).toBe(value);
    }
    expect(ui.complaints).toEqual([]);
    expect(ui.requests.map((request) => request.resourceType()).join()).not.toMatch(/fetch|xhr/);
  });
});

it.each([
  [
    "markup and what reorders text",
    { patch: '[{"op":"<img src=x onerror=alert(1)>","path":"\u202e/0"}]' },
    /^Not valid: operation 0/,
  ],
  [
    "a prototype",
    { patch: '[{"op":"add","path":"/__proto__","value":{"__proto__":{"weight":1}}}]' },
    /fail|Not valid/,
  ],
  [
    "a path and an op that no text can be made of",
    {
      by: "index",
      patch: '[{"op":{"toString":1,"valueOf":1},"path":{"toString":1,"valueOf":1},"from":{"toString":1}}]',
    },
    /^Not valid: operation 0/,
  ],
  [
    "a path of an operation that is no text",
    {
      patch:
        '[{"op":"remove","path":{"toString":1,"valueOf":1}},{"op":"copy","from":{"toString":1},"path":"/0/name"}]',
    },
    /^Not valid: operation 0, 1/,
  ],
  ["a reason with markup", { reason: '"><img src=x onerror=alert(1)>\u202egpj' }, /Burgee-Reason must have/],
  ["a path as the environment", { environment: ".." }, /^\.\. is not a name/],
  ["a path as the feature", { feature: "../../../patch" }, /has no feature "\.\.\/\.\.\/\.\.\/patch"/],
  ["a query as the environment", { environment: "production/variants?x=#" }, /has no environment/],
  ["markup as the feature", { feature: "<img src=x onerror=alert(1)>" }, /has no feature "<img/],
])("shows %s as text, and applies nothing", async (_, change, summary) => {
  const images = await ui.page.locator("img").count();
  const page = await ui.follow({ ...(await ui.proposal()), ...change });
  page.on("dialog", (dialog) => ui.complaints.push(dialog.message()));
  await ui.show({ key });

  await ui.expectSummary(summary);
  await ui.expectEnabled("Apply", false);
  expect(await page.getByText("Copy a link").count()).toBe(0);
  expect(await page.getByText("Nothing has changed").count()).toBe(0);
  expect(await page.locator("img").count()).toBe(images);
  expect(await page.locator("body").innerText()).not.toContain("\u202e");
  expect(await page.getByLabel("JSON Patch").inputValue()).not.toContain("\u202e");
  expect(ui.complaints).toEqual([]);
  expect(ui.writes()).toEqual([]);
  expect(strangers(ui.requests, ui.server.url)).toEqual([]);
});

const copies = (path: (index: number) => string) =>
  JSON.stringify(Array.from({ length: 25 }, (_, index) => ({ op: "copy", from: "", path: path(index) })));

it.each([
  ["name", copies((index) => `/c${index}`)],
  ["index", copies(() => "/-")],
])("by %s, copies of the document into itself are refused like any patch that fails", async (by, patch) => {
  await ui.follow({ ...(await ui.proposal()), by, patch });
  await ui.show({ key });

  await ui.expectSummary("The patch would fail in development; nothing would be written.");
  await ui.expectEnabled("Apply", false);
  await ui.choose({ Environment: "production" });
  await ui.expectSummary("The patch would fail in production; nothing would be written.");
  expect(ui.complaints).toEqual([]);
});
