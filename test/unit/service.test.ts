import { expect, it } from "vitest";
import { createService } from "../../lib/service.ts";
import { createTagStore } from "../../lib/store/tag-store.ts";

it.each([undefined, ""])(
  "a function without the name of its table (%j) says so when it starts",
  (TABLE_NAME) => {
    expect(() => createService(createTagStore, { TABLE_NAME })).toThrow("TABLE_NAME is not set");
  },
);

it.each(["a while", "-1"])(
  "a time of %s for keys to be remembered is refused when it starts",
  (KEY_CACHE_SECONDS) => {
    expect(() => createService(createTagStore, { TABLE_NAME: "burgee", KEY_CACHE_SECONDS })).toThrow(
      "KEY_CACHE_SECONDS",
    );
  },
);

it("each invocation gets its own store and count of calls, bound to its remaining time", async () => {
  const service = createService(createTagStore, { TABLE_NAME: "burgee" });

  const [first, second] = [service(() => 0), service(() => 0)];

  await expect(first.store.readTags("checkout")).rejects.toThrow("Timed out before reaching the database");
  await expect(first.authenticate("some-key")).rejects.toThrow("Timed out before reaching the database");
  expect(second.usage).not.toBe(first.usage);
  expect(second.usage).toEqual({ calls: 0, attempts: 0, conflicts: 0, ms: 0, throttling: new Set() });
});
