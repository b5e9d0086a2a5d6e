import { expect, it } from "vitest";
import { createService } from "../../lib/service.ts";
import { createTagStore } from "../../lib/store/tag-store.ts";

it.each([
  [{}, "TABLE_NAME is not set"],
  [{ TABLE_NAME: "" }, "TABLE_NAME is not set"],
  [{ TABLE_NAME: "burgee", KEY_CACHE_SECONDS: "a while" }, "KEY_CACHE_SECONDS"],
  [{ TABLE_NAME: "burgee", KEY_CACHE_SECONDS: "-1" }, "KEY_CACHE_SECONDS"],
])("a function with the settings %j fails when it starts: %s", (settings, message) => {
  expect(() => createService(createTagStore, settings)).toThrow(message);
});

it("each invocation gets its own store and count of calls, bound to its remaining time", async () => {
  const service = createService(createTagStore, { TABLE_NAME: "burgee" });

  const [first, second] = [service(() => 0), service(() => 0)];

  await expect(first.store.readTags("checkout")).rejects.toThrow("Timed out before reaching the database");
  await expect(first.authenticate("some-key")).rejects.toThrow("Timed out before reaching the database");
  expect(second.usage).not.toBe(first.usage);
  expect(second.usage).toEqual({ calls: 0, attempts: 0, conflicts: 0, ms: 0, throttling: new Set() });
});
