/** Requests that stop halfway, meet another one, or get no response: the page says what is known, and goes on from there. */
import { expect, it } from "vitest";
import { isApplied, isOutcomeUnknown, needsNewIdempotencyKey } from "../../infra/clients/api/error-codes.ts";
import { responseTimeoutMs } from "../../infra/clients/api/response-timeout.ts";
import { type ErrorCode, errorCodeSchema } from "../../lib/contract/responses/error-body.ts";
import { patient, usePage } from "./page.ts";

const ui = usePage("writes");
/** Production has no green, so this stops there. */
const stopping = [{ op: "replace", path: "/variants/green/stickiness", value: "userId" }];
const green = { weight: 0, weightType: "fix", stickiness: "default" };
const sticky = (environment: string) =>
  ui.stored(environment).then(({ variants }) => variants.green?.stickiness);

async function stop(): Promise<void> {
  await ui.openFlag();
  await ui.writePatch(stopping);
  await ui.expectConfirmation(
    /This would fail in production; development and staging would be changed before\./,
  );
  await ui.confirm("Apply in every environment, and stop in production");
  await ui.expectConfirmation(/Applied in development and staging only\./);
}

it("a patch that stops halfway is finished with the same key, once its cause is removed", async () => {
  await stop();
  await ui.expectConfirmation(/This would fail in production.*Already stored in development and staging\./s);
  await ui.expectAccessible();
  expect(await sticky("staging")).toBe("userId");
  const first = ui.writes().at(-1)?.headers()["idempotency-key"];
  // The half-done patch waits meanwhile.
  const production = ui.region("production");
  await production.getByRole("button", { name: "Add a variant" }).click();
  await production.getByLabel("Name", { exact: true }).fill("green");
  await ui.page.keyboard.press("Enter");
  await ui.confirm("Apply in production");

  await ui.expectConfirmation(
    /In production:\s+Already stored in development and staging\. change the stickiness of green/,
  );
  await ui.confirm("Apply in every environment");

  await ui.expectConfirmation(/Applied in all 3 environments/);
  expect(ui.writes().at(-1)?.headers()["idempotency-key"]).toBe(first);
  expect(await sticky("production")).toBe("userId");
});

it("a patch that stopped halfway is undone where it is done, or discarded, and survives a reload", async () => {
  await stop();
  await ui.page.reload();
  await ui.enter("burgee-key-of-the-patch-page");
  await ui.expectConfirmation(/Already stored in development and staging/);
  await ui.press("Discard");
  expect(await ui.confirmation().count()).toBe(0);
  await ui.region("Last changes").getByRole("button", { name: /^Undo/ }).first().click();
  await ui.confirm("Undo the change");
  await expect.poll(() => sticky("staging"), patient).toBe("default");
});

it("undoes what is done of it", async () => {
  await stop();
  await ui.press("Undo what was applied");
  await ui.confirm("Undo the change");
  await expect.poll(() => sticky("development"), patient).toBe("default");
});

it("is finished after a response was lost, and applied once", async () => {
  await ui.openFlag();
  await ui.set("Percent of blue in production", "20");
  await ui.page.route(/environments\/production$/, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await ui.confirm("Apply in production");
  await ui.expectConfirmation(
    /The change may have been stored in production: No response from.*New preview:.*Already stored in production/s,
  );
  await ui.press("Close");
  await expect.poll(async () => (await ui.changes()).length, patient).toBe(1);
});

it("waits as long as a response can come, lets nothing else be begun meanwhile, and then says that there was none", async () => {
  const { page } = ui;
  await ui.openFlag();
  await ui.set("Percent of blue in production", "20");
  await ui.expectConfirmation(/In production/);
  await page.clock.install();
  await page.route(/environments\/production$/, () => {});
  await ui.confirm("Apply in production");
  await ui.expectConfirmation(/Applying\.\.\./);
  expect(await page.locator(".envs").evaluate((each) => Object(each).inert)).toBe(true);

  await page.clock.fastForward(responseTimeoutMs + 1000);

  await ui.expectConfirmation(/The change may have been stored in production: No response/);
  await page.clock.runFor(1000);
  await ui.expectConfirmation(/New preview:\s+In production:\s+put blue at 20 %/);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

it("is not applied on top of a change since its preview, says whose that is, and shows both", async () => {
  await ui.openFlag();
  await ui.set("Percent of blue in production", "20");
  await ui.expectConfirmation(/In production:\s+put blue at 20 % and red at 80 %/);
  await ui.patchElsewhere("production", [{ op: "add", path: "/variants/green", value: green }]);

  await ui.confirm("Apply in production");

  await ui.expectConfirmation(
    /Nothing was written: \S+ was changed meanwhile, by test, (?:\d+ seconds ago|just now)\. Check the new preview\./,
  );
  await ui.expectText("production", /green/);
  await ui.confirm("Apply in production");
  await ui.expectConfirmation(/Applied in production/);
  expect((await ui.stored("production")).variants).toMatchObject({
    blue: { weight: 200 },
    green: { weight: 0 },
  });
});

it("shows what it has written also where a read that began before is answered last", async () => {
  const { page } = ui;
  const toggle = ui.toggle("production");
  await ui.openFlag();
  await toggle.click();
  await ui.expectConfirmation(/checkout goes on in production/);
  const read = /checkout\?by=name$/;
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isRead = new Promise<void>((resolve) => {
    void page.route(
      read,
      async (route) => {
        const response = await route.fetch();
        resolve();
        await isReleased;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
  });
  await ui.press("Cancel");
  await isRead;
  await toggle.click();
  await ui.confirm("Switch on");
  await ui.expectConfirmation(/checkout is on in production/);
  await ui.expectText("Last changes", /switched production on/);

  const isAnswered = page.waitForResponse(read);
  release();
  await (await isAnswered).finished();
  await page.evaluate("new Promise(requestAnimationFrame)");

  expect(await toggle.getAttribute("aria-checked")).toBe("true");
  await ui.expectText("Last changes", /switched production on/);
});

it("is not applied where a response has no ETag, as it could not see what changes meanwhile", async () => {
  const { page } = ui;
  await ui.openFlag();
  await page.route(/dryRun=true/, async (route) => {
    const response = await route.fetch();
    const { etag: _, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
  await ui.set("Percent of blue in production", "20");
  await ui.expectConfirmation(/the response has no ETag/);
  expect(await page.getByRole("button", { name: "Apply in production" }).isEnabled()).toBe(false);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

it("says which environments a patch would change before it fails, and none after that", async () => {
  await ui.patchElsewhere("production", [{ op: "add", path: "/variants/green", value: green }]);
  await ui.patchElsewhere("staging", [{ op: "remove", path: "/variants/green" }]);
  await ui.openFlag();
  await ui.writePatch(stopping);
  await ui.expectConfirmation(/This would fail in staging; development would be changed before\./);
  await ui.confirm("Apply in every environment, and stop in staging");
  await ui.expectConfirmation(/Applied in development only\./);
  expect(await sticky("production")).toBe("default");
});

it("does not offer an undo that would fail in an environment, as the server would undo nothing", async () => {
  await ui.openFlag();
  await ui.press("Switch on everywhere");
  await ui.confirm("Switch on");
  await ui.expectConfirmation(/checkout is on in all 3 environments\./);
  await ui.patchElsewhere("production", [{ op: "replace", path: "/enabled", value: false }]);

  await ui
    .confirmation()
    .getByRole("button", { name: /^Undo in/ })
    .click();

  await ui.expectConfirmation(
    /This would fail in production; nothing would be written\..*all or nothing, and it would fail in production/s,
  );
  expect(
    await ui.confirmation().getByRole("button", { name: "Undo the change", exact: true }).isEnabled(),
  ).toBe(false);
});

/** What docs/API.md says of each code. The draft stays, but where it is done. */
const afterCode: Record<ErrorCode, { status: number; text: RegExp }> = {
  applied: { status: 400, text: /Applied in production\. The message\.\n/ },
  "outcome-unknown": { status: 404, text: /The change may have been stored in production: The message\./ },
  undone: { status: 409, text: /This was applied, and has been undone since\. Check the new preview\./ },
  "key-used": {
    status: 409,
    text: /Nothing was written: this was applied more than 29 days ago\. Check the new preview\./,
  },
  exists: { status: 409, text: /Nothing was written\. The message\./ },
  "too-many-moves": { status: 409, text: /Nothing was written\. The message\./ },
  "cannot-undo": { status: 409, text: /Nothing was written\. The message\./ },
  "changed-meanwhile": { status: 409, text: /Nothing was written\. The message\./ },
  "gave-up": { status: 409, text: /Nothing was written\. The message\./ },
};

it.each(errorCodeSchema.options)(
  "says what the code %s means, and whether there is something left to do",
  async (code) => {
    const { page } = ui;
    const { status, text } = afterCode[code];
    await ui.openFlag();
    await ui.set("Percent of blue in production", "20");
    const isDone = isApplied(code);
    const mayBeStored = isOutcomeUnknown(code);
    const details = [{ environment: "production", outcome: isDone ? "patched" : "failed" }];
    await page.route(/environments\/production$/, async (route) => {
      if (isDone || mayBeStored) await route.fetch();
      const headers = isDone ? { "burgee-change": "abc" } : {};
      await route.fulfill({ status, headers, json: { code, message: "The message", details } });
    });

    await ui.confirm("Apply in production");

    await ui.expectConfirmation(text);
    const key = ui.writes().at(-1)?.headers()["idempotency-key"];
    await page.unrouteAll({ behavior: "ignoreErrors" });
    if (isDone) {
      await ui.press("Close");
      expect(await ui.confirmation().count()).toBe(0);
      expect((await ui.stored("production")).variants.blue).toMatchObject({ weight: 200 });
    } else if (!mayBeStored) {
      await ui.confirm("Apply in production");
      await ui.expectConfirmation(/Applied in production\.\n/);
      const isOtherKey = ui.writes().at(-1)?.headers()["idempotency-key"] !== key;
      expect(isOtherKey).toBe(needsNewIdempotencyKey(code));
    }
  },
);

it("says of a change of every environment that it was undone in at least one of them", async () => {
  const { page } = ui;
  await ui.openFlag();
  await ui.press("Switch on everywhere");
  await page.route(/\/checkout$/, (route) =>
    route.request().method() === "PATCH"
      ? route.fulfill({ status: 409, json: { code: "undone", message: "The message" } })
      : route.continue(),
  );

  await ui.confirm("Switch on");

  await ui.expectConfirmation(/This was applied, and has been undone since in at least one environment\./);
});

it("makes a change again that was undone since it was sent, where the response was lost", async () => {
  await ui.openFlag();
  await ui.set("Percent of blue in production", "20");
  await ui.page.route(/environments\/production$/, async (route) => {
    const written = await route.fetch();
    await ui.undoElsewhere("production", written.headers()["burgee-change"] ?? "");
    await route.abort();
  });
  await ui.confirm("Apply in production");

  await ui.expectConfirmation(
    /may have been stored in production: No response.*New preview:\s+In production:\s+put blue at 20 %/s,
  );
  await ui.page.unrouteAll({ behavior: "ignoreErrors" });
  await ui.confirm("Apply in production");
  await ui.expectConfirmation(/Applied in production/);
  expect((await ui.stored("production")).variants.blue).toMatchObject({ weight: 200 });
});

it("keeps a reason that is typed while the page gives an undone change another idempotency key", async () => {
  await ui.openFlag();
  await ui.set("Percent of blue in production", "20");
  await ui.page.route(/environments\/production$/, (route) => route.abort());
  await ui.confirm("Apply in production");
  await ui.expectConfirmation(/may have been stored in production: No response.*New preview:/s);
  const key = ui.writes().at(-1)?.headers()["idempotency-key"];
  await ui.page.unrouteAll({ behavior: "ignoreErrors" });
  const reason = ui.page.getByLabel("Why");
  let dryRuns = 0;
  await ui.page.route(/environments\/production\?dryRun/, async (route) => {
    if (++dryRuns > 1) return route.continue();
    await reason.fill("typed meanwhile");
    await route.fulfill({ status: 409, json: { code: "undone", message: "The message" } });
  });
  await ui.set("Percent of users that may get something else", "50");

  await expect.poll(() => dryRuns, patient).toBeGreaterThan(1);
  expect(await reason.inputValue()).toBe("typed meanwhile");
  await ui.confirm("Apply in production");
  await ui.expectConfirmation(/Applied in production\.\n/);
  const headers = ui.writes().at(-1)?.headers() ?? {};
  expect(headers["idempotency-key"]).not.toBe(key);
  expect(headers["burgee-reason"]).toBe("typed meanwhile");
});
