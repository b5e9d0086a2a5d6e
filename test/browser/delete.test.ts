/** A flag is deleted on its page and restored: at once by the message, and later by its name. */
import { expect, it } from "vitest";
import { key, patient, readerKey, usePage } from "./page.ts";

const ui = usePage("writes");

const body = () => ui.page.locator("body").innerText();
const link = (name: string) => ui.page.getByRole("link", { name, exact: true });
const count = () => ui.page.locator(".count").innerText();

async function statusOf(name: string): Promise<number> {
  const url = `${ui.server.url}/api/admin/projects/default/features/${name}`;
  return (await fetch(url, { headers: { authorization: key } })).status;
}

async function deleteCheckout(): Promise<void> {
  await ui.press("Delete flag");
  await ui.page.getByLabel("Why it is deleted").fill("tidied up: é");
  await ui.press("Delete it");
  await expect
    .poll(body, patient)
    .toMatch(/checkout was deleted\. It can be restored until \w+ \d+, \d{4}\./);
}

it("says where it is on and for whom, deletes it, and restores it with all that it had", async () => {
  const strategy = {
    name: "flexibleRollout",
    parameters: { rollout: "25", stickiness: "userId", groupId: "checkout" },
  };
  await ui.patchElsewhere("production", [
    { op: "replace", path: "/enabled", value: true },
    { op: "add", path: "/strategies/gradual", value: strategy },
  ]);
  const before = await ui.stored("production");
  await ui.openFlag();
  await ui.press("Delete flag");
  expect(await body()).toContain("Delete checkout? It is on in production (25 % by userId).");
  await ui.expectAccessible();
  await ui.expectNarrow();
  await ui.press("Cancel");
  expect(ui.writes()).toEqual([]);

  await deleteCheckout();

  expect(await statusOf("checkout")).toBe(404);
  await link("search").waitFor();
  expect(await link("checkout").count()).toBe(0);
  expect(await count()).toBe("1 flag");
  expect(await ui.page.evaluate("document.activeElement.innerText")).toBe("Restore");
  await ui.expectAccessible();
  await ui.expectNarrow();

  await ui.press("Restore");

  await ui.page.getByRole("heading", { name: "checkout", exact: true }).waitFor();
  await ui.expectText("production", /of users get it, by userId/);
  await ui.expectText("Notices", /checkout is restored, in each environment on or off as it was/);
  expect(await ui.stored("production")).toEqual({ ...before, etag: expect.any(String) });
  expect(await body()).not.toContain("was deleted");
  await ui.page.getByRole("link", { name: "All flags" }).click();
  await link("checkout").waitFor();
  expect(await count()).toBe("2 flags");
  expect(ui.complaints).toEqual([]);
});

it("drops the drafts of a flag that is deleted, and deletes what was restored again", async () => {
  await ui.openFlag();
  await ui.writePatch([{ op: "remove", path: "/variants/blue" }]);
  await deleteCheckout();
  expect(await body()).not.toContain("Not applied yet");
  await ui.press("Restore");
  await ui.page.getByRole("heading", { name: "checkout", exact: true }).waitFor();

  await deleteCheckout();

  expect(await statusOf("checkout")).toBe(404);
});

it("does not delete what was switched on since the question, and asks again with the reason typed", async () => {
  await ui.openFlag();
  await ui.press("Delete flag");
  expect(await body()).toContain("Delete checkout? It is off everywhere.");
  const reason = ui.page.getByLabel("Why it is deleted");
  await reason.fill("tidied up");
  await ui.patchElsewhere("production", [{ op: "replace", path: "/enabled", value: true }]);

  await ui.press("Delete it");

  await expect.poll(body, patient).toContain("Nothing was deleted: checkout was changed meanwhile.");
  expect(await statusOf("checkout")).toBe(200);
  expect(await body()).toContain("Delete checkout? It is on in production (everyone).");
  expect(await reason.inputValue()).toBe("tidied up");
  expect(await ui.page.evaluate("document.activeElement.innerText")).toBe("Delete it");
  await ui.press("Delete it");
  await expect.poll(body, patient).toContain("checkout was deleted.");
});

it("is not deleted before the page has read what it has just written", async () => {
  await ui.openFlag();
  await ui.press("Switch on everywhere");
  await ui.expectConfirmation(/checkout goes on/);
  const read = /checkout\?by=name$/;
  let release = () => {};
  const isHeld = new Promise<void>((resolve) => {
    release = resolve;
  });
  await ui.page.route(read, async (route) => {
    await isHeld;
    await route.continue();
  });
  await ui.confirm("Switch on");
  await ui.expectConfirmation(/checkout is on in all 3 environments/);
  await ui.press("Delete flag");
  const button = ui.page.getByRole("button", { name: "Delete it" });
  expect(await button.isEnabled()).toBe(false);

  release();

  await button.click();
  await expect.poll(body, patient).toContain("checkout was deleted.");
});

it("is switched on the board where it was restored elsewhere while the tab says that it was deleted", async () => {
  await ui.openFlag();
  await deleteCheckout();
  const url = `${ui.server.url}/api/admin/projects/default/features/checkout/restore`;
  expect((await fetch(url, { method: "POST", headers: { authorization: key } })).status).toBe(201);
  await ui.page.clock.install();
  await ui.page.clock.fastForward(11_000);
  await ui.press("Change the key");
  await ui.enter(key);

  await ui.toggle("production").click();

  await ui.expectConfirmation(/checkout goes on in production\./);
  expect(await body()).not.toContain("was deleted");
  await ui.confirm("Switch on");
  await ui.expectConfirmation(/checkout is on in production\./);
});

it("says of the flag that was deleted last only what is about it", async () => {
  await ui.openFlag();
  await deleteCheckout();
  await ui.page.route(/restore$/, (route) => route.fulfill({ status: 500, json: { message: "No table" } }));
  await ui.press("Restore");
  await expect.poll(body, patient).toContain("No table");
  await ui.page.unrouteAll();
  await link("search").click();
  await ui.press("Delete flag");
  await ui.press("Delete it");

  await expect.poll(body, patient).toContain("search was deleted.");
  expect(await body()).not.toContain("No table");
});

it("restores a flag by its name later, and says why it cannot", async () => {
  await ui.openFlag();
  await deleteCheckout();
  await ui.press("Close");
  await ui.press("Restore a flag");
  await ui.page.getByLabel("Name of the deleted flag").fill("search");
  await ui.page.keyboard.press("Enter");
  await expect.poll(body, patient).toContain('The feature "search" already exists, in project "default"');
  await ui.page.getByLabel("Name of the deleted flag").fill("none");
  await ui.page.keyboard.press("Enter");
  await expect
    .poll(body, patient)
    .toContain('No feature "none" of project "default" was deleted in the last 30 days');
  await ui.page.getByLabel("Name of the deleted flag").fill("checkout");
  await ui.page.keyboard.press("Enter");

  await ui.page.getByRole("heading", { name: "checkout", exact: true }).waitFor();
  expect(await statusOf("checkout")).toBe(200);
});

it("a name that was deleted is free for a new flag", async () => {
  await ui.openFlag();
  await deleteCheckout();
  await ui.press("New flag");
  await ui.page.getByLabel("Name of the new flag").fill("checkout");
  await ui.page.keyboard.press("Enter");

  await ui.page.getByRole("heading", { name: "checkout", exact: true }).waitFor();
  await ui.expectText("Last changes", /No changes in the last 30 days/);
  expect(await body()).not.toContain("was deleted");
});

it("shows the server's refusal of a key that may not, and keeps the flag", async () => {
  await ui.openFlag("checkout", readerKey);
  await ui.press("Delete flag");
  await ui.press("Delete it");

  await expect
    .poll(body, patient)
    .toContain('The API key lacks the permission DELETE_FEATURE in project "default"');
  expect(await statusOf("checkout")).toBe(200);
});

it.each([
  [504, {}, /may have been deleted\. HTTP status 504/],
  [503, { id: "an id", message: "Throttled" }, /Cancel\s+Throttled/],
])("says after a %i only of a gateway that the outcome is unknown", async (status, json, text) => {
  await ui.openFlag();
  await ui.page.route(/features\/checkout$/, (route) =>
    route.request().method() === "DELETE" ? route.fulfill({ status, json }) : route.continue(),
  );
  await ui.press("Delete flag");
  await ui.press("Delete it");

  await expect.poll(body, patient).toMatch(text);
  await ui.page.unrouteAll({ behavior: "ignoreErrors" });
});

it("shows nothing beside a new API key that the server has said of another one", async () => {
  await ui.openFlag("checkout", readerKey);
  await ui.press("Delete flag");
  await ui.press("Delete it");
  const refusal = "lacks the permission DELETE_FEATURE";
  await expect.poll(body, patient).toContain(refusal);
  await ui.toggle("production").click();
  await ui.expectConfirmation(/This key lacks UPDATE_FEATURE_ENVIRONMENT/);
  await ui.page.route("**/api/**", () => {});

  await ui.press("Change the key");
  await ui.enter(key);

  expect(await body()).not.toContain(refusal);
  expect(await ui.confirmation().innerText()).not.toContain("lacks");
  await ui.page.unrouteAll({ behavior: "ignoreErrors" });
});

it("says that the outcome is unknown where the response is lost, and shows that it is gone", async () => {
  await ui.openFlag();
  await ui.page.route(/features\/checkout$/, async (route) => {
    if (route.request().method() !== "DELETE") return route.continue();
    await route.fetch();
    await route.abort();
  });
  await ui.press("Delete flag");
  await ui.press("Delete it");

  await expect.poll(body, patient).toContain("may have been deleted. No response from");
  await ui.page.unrouteAll({ behavior: "ignoreErrors" });
  await ui.press("Delete it");
  await expect.poll(body, patient).toContain('Project "default" has no feature "checkout"');
});

it("finds its own creation and restoration, where their responses were lost", async () => {
  const { page } = ui;
  const loseResponses = (path: RegExp) =>
    page.route(path, async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      await route.fetch();
      await route.abort();
    });
  await ui.openFlag();
  await deleteCheckout();
  await loseResponses(/features\/checkout\/restore$/);
  await ui.press("Restore");
  await expect.poll(body, patient).toContain("No response from");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await ui.press("Restore");
  await page.getByRole("heading", { name: "checkout", exact: true }).waitFor();

  await deleteCheckout();
  await loseResponses(/projects\/default\/features$/);
  await ui.press("New flag");
  await page.getByLabel("Name of the new flag").fill("checkout");
  await page.keyboard.press("Enter");
  await expect.poll(body, patient).toContain("No response from");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await ui.press("Create");
  await page.getByRole("heading", { name: "checkout", exact: true }).waitFor();
});

/** Holds the responses of requests with this method and path until it is released. */
async function holdResponses(path: RegExp, method = "POST"): Promise<() => void> {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await ui.page.route(path, async (route) => {
    if (route.request().method() !== method) return route.continue();
    const response = await route.fetch();
    await isReleased;
    await route.fulfill({ response });
  });
  return release;
}

it("stays where the user has gone while a flag is created, and lists it on the board", async () => {
  const { page } = ui;
  await ui.enter(key);
  const release = await holdResponses(/projects\/default\/features$/);
  await ui.press("New flag");
  await page.getByLabel("Name of the new flag").fill("new-flag");
  await ui.press("Create");
  await link("search").click();
  await ui.writePatch([{ op: "replace", path: "/enabled", value: true }]);
  await ui.expectConfirmation(/search goes on/);

  release();
  await page.waitForResponse(/features\/new-flag\?by=name$/, patient);

  expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("search");
  await page.getByRole("link", { name: "All flags" }).click();
  await link("new-flag").waitFor();
});

it("keeps a draft that waits, and one that was begun while a flag is restored", async () => {
  const { page } = ui;
  await ui.openFlag();
  await deleteCheckout();
  await link("search").click();
  await ui.writePatch([{ op: "replace", path: "/variants", value: {} }]);
  await page.getByRole("link", { name: "All flags" }).click();
  const releaseRestoration = await holdResponses(/features\/checkout\/restore$/);
  await ui.press("Restore");
  await ui.toggle("production", "search").click();
  await ui.expectConfirmation(/search goes on in production/);

  releaseRestoration();
  await page.waitForResponse(/features\/checkout\?by=name$/, patient);

  await ui.expectText("Notices", /checkout is restored/);
  expect(await body()).not.toContain("checkout was deleted");
  await link("checkout").waitFor();
  await ui.confirm("Switch on");
  await ui.expectConfirmation(/search is on in production/);
  await ui.expectText("Notices", /Not applied yet:\s+search in every environment/);
});

it("does not say that what it has applied is applied again while the flag is deleted", async () => {
  await ui.openFlag();
  await ui.toggle("production").click();
  await ui.confirm("Switch on");
  await ui.expectConfirmation(/checkout is on in production/);
  const release = await holdResponses(/features\/checkout$/, "DELETE");
  await ui.press("Delete flag");
  const isSent = ui.page.waitForRequest((request) => request.method() === "DELETE");
  await ui.press("Delete it");
  await isSent;

  expect(await ui.confirmation().innerText()).toMatch(/^checkout is on in production\./);

  release();
  await expect.poll(body, patient).toContain("checkout was deleted.");
});
