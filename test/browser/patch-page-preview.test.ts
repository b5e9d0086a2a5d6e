/** The page that previews a patch: what it shows of the environments, and of a patch before it is applied. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startServer } from "../support/server.ts";
import { openChromium } from "./chromium.ts";
import {
  byName,
  environment,
  expectAccessible,
  expectSummary,
  key,
  type Opened,
  openPage,
  outcomes,
  patchText,
  show,
  state,
  stopping,
  stored,
  write,
} from "./patch-page.ts";

let browser: Browser;
let opened: Opened;
beforeAll(async () => {
  browser = await openChromium();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  opened = await openPage(browser);
});
afterEach(() => opened.close());

it("shows the environments side by side, and marks what differs from the first", async () => {
  const { page } = opened;
  await expectSummary(page, "As it is stored");

  const columns = page.locator(".environments > section");
  expect(await columns.getByRole("heading").allInnerTexts()).toEqual([
    "development",
    "staging",
    "production",
  ]);
  const boxes = await Promise.all((await columns.all()).map((column) => column.boundingBox()));
  expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
  const red = environment(page, "development").getByRole("listitem").nth(2);
  expect(await red.innerText()).toMatch(
    /red\s+fix\s+100\s+payload \(json\)\s+\{"colour":"#c00"\}\s+overrides\s+userId: ann, ben/,
  );
  expect(await environment(page, "development").getByText("differs from").count()).toBe(0);
  expect(await environment(page, "staging").getByText("differs from").allInnerTexts()).toEqual([
    "differs from development: weight",
    "differs from development: weight",
    "differs from development: weight, weightType, payload (json), overrides",
  ]);
  expect(await environment(page, "production").getByRole("listitem").nth(1).innerText()).toBe(
    "not in this environment",
  );
});

it("shows the demo's feature at once, its key filled in", async () => {
  const demo = await startServer();
  try {
    const { page } = opened;
    await page.goto(`${demo.url}/patch`);

    await expectSummary(page, "As it is stored");
    expect(await page.getByLabel("API key").inputValue()).toBe("burgee-demo-key-for-this-machine");
  } finally {
    await demo.kill();
  }
});

it("keeps a field that was typed but not shown yet", async () => {
  const { page } = opened;
  await expectSummary(page, "As it is stored");
  await page.getByRole("textbox", { name: "Feature" }).fill("another");

  await write(page, stopping);

  await expectSummary(page, "would stop");
  expect(await page.getByRole("textbox", { name: "Feature" }).inputValue()).toBe("another");
});

it("previews where a patch would stop, what it does to the weights, and the error at its operation", async () => {
  const { page } = opened;
  await write(page, stopping);

  await expectSummary(page, "The patch would stop in production; development, staging would stay patched.");
  expect(await outcomes(page)).toEqual(["will be patched", "will be patched", "failed"]);
  const blue = environment(page, "staging").getByRole("listitem").first();
  expect(await blue.innerText()).toMatch(/blue\s+changed\s+334 → 475\s+normalised/);
  const operations = page.getByRole("list", { name: "Operations" }).getByRole("listitem");
  expect(await operations.allInnerTexts()).toEqual([
    expect.stringMatching(/^0 replace \/2\/weightType.*production: .*index 2 is out of range/s),
    expect.stringMatching(/^1 replace \/2\/weight\s+✕$/),
  ]);
  expect(await page.getByRole("button", { name: "Apply, and stop in production" }).isEnabled()).toBe(true);
  expect(await stored(opened.server, "development")).toMatchObject([
    { weight: 450 },
    { weight: 450 },
    { weight: 100 },
  ]);
});

it("previews the same patch by name, which applies everywhere", async () => {
  const { page } = opened;
  await write(page, byName);
  await page.getByLabel("Variants by").selectOption("name");

  await expectSummary(page, "The patch would change development, staging, production.");
  expect(await environment(page, "production").getByRole("listitem").last().innerText()).toMatch(
    /red\s+variable → fix\s+changed\s+500 → 50/,
  );
});

it("draws environments after the failure as not attempted", async () => {
  const { page } = opened;
  await write(page, [{ op: "remove", path: "/9" }]);

  await expectSummary(page, "The patch would fail in development; nothing would be written.");
  expect(await outcomes(page)).toEqual(["failed", "not attempted", "not attempted"]);
  expect(await page.getByRole("button", { name: "Apply" }).isEnabled()).toBe(false);
});

it("shows what normalisation did to a weight that the patch wrote", async () => {
  const { page } = opened;
  await write(page, [{ op: "add", path: "/-", value: { name: "amber", weight: 7 } }]);

  await expectSummary(page, "would change");
  const amber = environment(page, "production").getByRole("listitem").first();
  expect(await amber.innerText()).toMatch(/amber\s+added\s+333.*the patch wrote 7, normalised/s);
});

it("shows the last preview unmixed, under its own heading, until the next one is there", async () => {
  const { page } = opened;
  await write(page, [{ op: "add", path: "/-", value: { name: "amber", weight: 7 } }]);
  await expectSummary(page, "would change");
  await page.route("**/*dryRun*", () => {});

  await write(page, [{ op: "add", path: "/-", value: { name: "amber", weight: 8 } }]);
  await show(page, { key, feature: "search" });

  expect(await page.getByRole("heading", { level: 2 }).innerText()).toBe("checkout");
  const amber = environment(page, "production").getByRole("listitem").first();
  expect(await amber.innerText()).toContain("the patch wrote 7");
});

describe("errors in the patch", () => {
  it("shows what is not JSON, and keeps the environments", async () => {
    const { page } = opened;
    await expectSummary(page, "As it is stored");

    await write(page, '[{"op":"remove"');

    await expectSummary(page, /JSON/);
    expect(await page.getByLabel("JSON Patch").getAttribute("aria-invalid")).toBe("true");
    expect(await page.locator(".environments > section").count()).toBe(3);
  });

  it("shows an invalid operation at that operation, whatever it consists of", async () => {
    const { page } = opened;
    await write(page, [{ op: "remove", path: "/0" }, { op: "test", path: "/0" }, null, 7, "<b>"]);

    await expectSummary(page, "must be one of add, remove, replace, copy, move");
    const operations = page.getByRole("list", { name: "Operations" }).getByRole("listitem");
    expect(await operations.nth(1).innerText()).toContain("must be one of add, remove, replace, copy, move");
    expect(await operations.nth(2).innerText()).toContain("must be an object");
    expect(opened.complaints).toEqual([]);
  });

  it("deletes an operation", async () => {
    const { page } = opened;
    await write(page, stopping);

    await page.getByRole("button", { name: "Delete operation 0" }).click();

    expect(await patchText(page)).toEqual(stopping.slice(1));
  });
});

describe("buttons write the usual operations", () => {
  async function fill(kind: string, values: Record<string, string>): Promise<void> {
    const form = opened.page.getByRole("form", { name: "Write an operation" });
    for (const [label, value] of Object.entries(values)) {
      const control = form.getByLabel(label);
      if ((await control.evaluate(({ tagName }) => tagName)) === "SELECT") await control.selectOption(value);
      else await control.fill(value);
    }
    await form.getByRole("button", { name: kind, exact: true }).click();
  }

  it.each([
    {
      form: "index",
      written: [
        { op: "add", path: "/-", value: { name: "amber/~1", weight: 0, weightType: "variable" } },
        { op: "replace", path: "/3/weightType", value: "fix" },
        { op: "replace", path: "/3/weight", value: 20 },
        { op: "replace", path: "/1/name", value: "teal" },
        { op: "remove", path: "/0" },
        { op: "remove", path: "/0" },
      ],
    },
    {
      form: "name",
      written: [
        { op: "add", path: "/amber~1~01", value: { weight: 0, weightType: "variable" } },
        { op: "replace", path: "/amber~1~01/weightType", value: "fix" },
        { op: "replace", path: "/amber~1~01/weight", value: 20 },
        { op: "move", from: "/green", path: "/teal" },
        { op: "remove", path: "/blue" },
        { op: "remove", path: "/teal" },
      ],
    },
  ])("by $form, each on what those before it leave", async ({ form, written }) => {
    const { page } = opened;
    await expectSummary(page, "As it is stored");
    await page.getByLabel("Variants by").selectOption(form);

    await fill("Add", { Name: "amber/~1" });
    await fill("Fix the weight", { Variant: "amber/~1", Weight: "20" });
    await fill("Rename", { Variant: "green", Name: "teal" });
    await fill("Remove", { Variant: "blue" });
    await fill("Remove", { Variant: "teal" });

    expect(await patchText(page)).toEqual(written);
  });

  it("copies the variants of one environment onto another, and onto no third", async () => {
    const { page, server } = opened;
    await expectSummary(page, "As it is stored");

    await page.getByLabel("Environment").selectOption("production");
    await fill("Copy", { "Copy from": "development" });
    await expectSummary(page, "The patch would change production.");
    await page.getByRole("button", { name: "Apply" }).click();

    await expect.poll(() => page.getByRole("article").allInnerTexts()).toEqual(["Applied, as previewed."]);
    expect(await stored(server, "production")).toEqual(await stored(server, "development"));
    expect(await stored(server, "staging")).toMatchObject([
      { weight: 334 },
      { weight: 333 },
      { weight: 333 },
    ]);
  });
});

describe("good manners", () => {
  it("keeps the key out of storage and addresses, and sends nothing to another host", async () => {
    const { page, requests, complaints, server } = opened;
    await write(page, stopping);
    await expectSummary(page, "would stop");

    expect(await page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")).toBe(
      '[{},{},""]',
    );
    expect(requests.filter(({ host }) => host !== new URL(server.url).host)).toEqual([]);
    expect([page.url(), ...requests.map(String)].join("\n")).not.toContain(key);
    expect(complaints).toEqual([]);
  });

  it("has a strict policy: no inline script or style, no markup from text", async () => {
    const policy = (await fetch(`${opened.server.url}/patch`)).headers.get("content-security-policy");

    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    expect(policy).not.toContain("unsafe");
  });

  it.each(["light", "dark"] as const)("has no violation that axe-core finds, in %s", async (colorScheme) => {
    const { page } = opened;
    await page.emulateMedia({ colorScheme });
    await expectSummary(page, "As it is stored");
    await expectAccessible(page);
    await write(page, stopping);
    await page.getByText("What do I send by curl?").click();
    await expectSummary(page, "would stop");
    await expectAccessible(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await expectAccessible(page);
    await write(page, [{ op: "test" }]);
    await expectSummary(page, "must be one of");
    await expectAccessible(page);
  });

  it("fits 360 pixels", async () => {
    const { page } = opened;
    await page.setViewportSize({ width: 360, height: 740 });
    await write(page, stopping);
    await page.getByText("What do I send by curl?").click();
    await expectSummary(page, "would stop");

    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  });

  it("is used by keyboard alone", async () => {
    const { page } = opened;
    await expectSummary(page, "As it is stored");
    await page.getByRole("button", { name: "Show" }).focus();
    const tab = async (times: number) => {
      for (let time = 0; time < times; time++) await page.keyboard.press("Tab");
    };

    await tab(5);
    expect(await page.evaluate("document.activeElement.name")).toBe("variant");
    await page.keyboard.press("ArrowDown");
    await tab(6);
    await page.keyboard.press("Enter");

    expect(await patchText(page)).toEqual([{ op: "remove", path: "/1" }]);
  });

  it("shows the curl command that does what Apply would", async () => {
    const { page, server } = opened;
    await write(page, byName);
    await page.getByLabel("Variants by").selectOption("name");
    await expectSummary(page, "would change");

    await page.getByText("What do I send by curl?").click();
    const command = await page.locator("details pre").innerText();

    expect(command).not.toContain(key);
    expect(command).toMatch(/if-match: .*idempotency-key: /s);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy the command" }).click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(command);
    const { stdout } = await promisify(execFile)("bash", ["-c", command], {
      env: { ...process.env, BURGEE_KEY: key },
    });
    expect(JSON.parse(stdout)).toMatchObject({ variants: { red: { weight: 50 } } });
    expect(await stored(server, "production")).toMatchObject([{ weight: 950 }, { weight: 50 }]);
  });
});

describe("hostile text", () => {
  const markup = '<img src=x onerror="document.title=1">';

  it("of the server is shown as text that reorders nothing", async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), "burgee-test-")), "state.json");
    const hostile = `\u202e${markup}`;
    const { apiKeys } = JSON.parse(readFileSync(state, "utf8"));
    const payload = { type: `string${markup}`, value: hostile };
    const overrides = [
      { contextName: hostile, values: [markup] },
      { contextName: "long", values: Array.from({ length: 500 }, (_, index) => `user-${index}`) },
    ];
    const variants = [
      { name: "'(a)*~!", weight: 1000, weightType: "variable", stickiness: hostile, payload, overrides },
    ];
    const projects = [{ id: "default", environments: ["dev", hostile] }];
    const features = [
      { name: hostile, project: "default", environments: { dev: { variants }, [hostile]: { variants: [] } } },
    ];
    writeFileSync(file, JSON.stringify({ projects, features, apiKeys }));

    const other = await openPage(browser, { stateFile: file, feature: hostile });
    try {
      const { page } = other;
      await page.getByLabel("Variants by").selectOption("name");
      await write(page, [{ op: "remove", path: "/'(a)*~0!" }]);

      await expectSummary(page, "would stop");
      expect(await page.locator("img").count()).toBe(1);
      expect(await page.title()).toBe("Burgee: preview a patch");
      expect(await page.locator("main").innerText()).toContain(`\\u202e${markup}`);
      expect(await page.locator("main").innerText()).not.toContain("\u202e");
      expect(await page.locator("main").ariaSnapshot()).not.toContain("\u202e");
      expect(other.complaints).toEqual([]);
      await expectAccessible(page);
    } finally {
      await other.close();
    }
  });
});

describe("another Burgee", () => {
  /** A gateway in front of the server, which adds the headers of CORS as API Gateway does, or none. */
  async function gatewayTo(target: URL, allowedOrigin?: string, exposed = "etag,burgee-environments") {
    const gateway = createServer((incoming, outgoing) => {
      if (allowedOrigin) {
        outgoing.setHeader("access-control-allow-origin", allowedOrigin);
        outgoing.setHeader("access-control-allow-methods", "PATCH");
        outgoing.setHeader(
          "access-control-allow-headers",
          "authorization,content-type,if-match,idempotency-key",
        );
        outgoing.setHeader("access-control-expose-headers", exposed);
      }
      const { origin: _, ...headers } = incoming.headers;
      const { method = "", url = "" } = incoming;
      const forwarded = sendRequest(
        { host: target.hostname, port: target.port, method, path: url, headers },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(outgoing);
        },
      );
      // The page gives up a preview that is out of date.
      forwarded.on("error", () => outgoing.destroy());
      return incoming.pipe(forwarded);
    });
    gateway.listen(0, "127.0.0.1");
    await once(gateway, "listening");
    return { gateway, address: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}` };
  }

  it("is served where its CORS allows it", async () => {
    const { page, server } = opened;
    const other = await openPage(browser);
    const { gateway, address } = await gatewayTo(new URL(other.server.url), server.url);
    try {
      await show(page, { address, key, feature: "checkout" });
      await write(page, [{ op: "replace", path: "/0/stickiness", value: "userId" }]);
      await expectSummary(page, "would change");
      await page.getByRole("button", { name: "Apply" }).click();

      await expect.poll(() => page.getByRole("article").allInnerTexts()).toEqual(["Applied, as previewed."]);
      expect(await stored(other.server, "production")).toMatchObject([{ stickiness: "userId" }, {}]);
      expect(await stored(server, "production")).toMatchObject([{ stickiness: "default" }, {}]);
    } finally {
      gateway.close();
      await other.close();
    }
  });

  it("that does not let the page read the ETag is refused, as nothing could be applied safely", async () => {
    const { page, server } = opened;
    const { gateway, address } = await gatewayTo(new URL(server.url), server.url, "location");
    try {
      await show(page, { address, key, feature: "checkout" });

      await expect
        .poll(() => page.getByRole("status").innerText())
        .toContain("no ETag that this page may read");
      await write(page, [{ op: "replace", path: "/0/stickiness", value: "userId" }]);
      await expect.poll(() => outcomes(page)).toContain("will be patched");
      expect(await page.getByRole("button", { name: "Apply" }).isEnabled()).toBe(false);
    } finally {
      gateway.close();
    }
  });

  it("that does not allow it is reported as such", async () => {
    const { page, server } = opened;
    const { gateway, address } = await gatewayTo(new URL(server.url));
    try {
      await show(page, { address, key, feature: "checkout" });

      await expect.poll(() => page.getByRole("status").innerText()).toContain(`No response from ${address}`);
      expect(await page.getByRole("status").innerText()).toContain("CORS");
    } finally {
      gateway.close();
    }
  });

  it.each([
    ["a wrong key", { key: "wrong", feature: "checkout" }, /API key|key/i],
    ["an unknown feature", { key, feature: "nothing" }, 'has no feature "nothing"'],
  ])("reports %s", async (_, fields, message) => {
    await show(opened.page, fields);

    await expect.poll(() => opened.page.getByRole("status").innerText()).toMatch(message);
  });
});
