/** The settings that the service requires. */
import { expect, it } from "vitest";
import { prepareInvocations } from "../../lib/service.ts";
import { createTagStore } from "../../lib/store/tag-store.ts";

it.each([
  [{}, "TABLE_NAME is not set"],
  [{ TABLE_NAME: "" }, "TABLE_NAME is not set"],
  [{ TABLE_NAME: "burgee", KEY_CACHE_SECONDS: "a while" }, "KEY_CACHE_SECONDS"],
  [{ TABLE_NAME: "burgee", KEY_CACHE_SECONDS: "-1" }, "KEY_CACHE_SECONDS"],
  [{ TABLE_NAME: "burgee", KEY_CACHE_SECONDS: "Infinity" }, "KEY_CACHE_SECONDS"],
])("a function with the settings %j fails when it starts: %s", (settings, message) => {
  expect(() => prepareInvocations(createTagStore, settings)).toThrow(message);
});
