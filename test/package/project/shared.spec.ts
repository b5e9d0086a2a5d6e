import { expect, inject, it } from "vitest";

it("calls the Burgee of the global set-up", async () => {
  const { url, key } = inject("burgee");

  const response = await fetch(`${url}/api/admin/features/checkout/tags`, {
    headers: { authorization: key },
  });

  expect(await response.json()).toEqual({ version: 1, tags: [{ type: "simple", value: "team-a" }] });
});
