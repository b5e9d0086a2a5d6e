const { startBurgee } = require("burgee/local");

let burgee;
beforeAll(async () => {
  burgee = await startBurgee();
});
beforeEach(() => burgee.reset());
afterAll(() => burgee.stop());
it.each(["a-tag", "another"])("adds %s, and sees no other", async (value) => {
  const response = await fetch(`${burgee.url}/api/admin/features/checkout/tags`, {
    method: "PUT",
    headers: { authorization: burgee.keys.demo, "content-type": "application/json" },
    body: JSON.stringify({ addedTags: [{ type: "simple", value }], removedTags: [] }),
  });
  expect(await response.json()).toMatchObject({ tags: [{ value }, { value: "team-a" }] });
});
