import { startBurgee } from "burgee/local";
import { afterAll, beforeEach, expect, it } from "vitest";

const { url, keys, reset, stop } = await startBurgee();
beforeEach(() => reset());
afterAll(stop);
it.each(["a-tag", "another"])("adds %s, and sees no other", async (value) => {
  const response = await fetch(`${url}/api/admin/features/checkout/tags`, {
    method: "PUT",
    headers: { authorization: keys.demo, "content-type": "application/json" },
    body: JSON.stringify({ addedTags: [{ type: "simple", value }], removedTags: [] }),
  });
  expect(await response.json()).toMatchObject({ tags: [{ value }, { value: "team-a" }] });
});
