/** Whose change the page names: the newest one where the draft was to be stored. */
import { expect, it, vi } from "vitest";
import { attributionOf } from "../../../../infra/clients/page/words/sentences.ts";
import { findNewestWrite } from "../../../../infra/clients/words/last-write.ts";
import type { ListedChange } from "../../../../lib/contract/responses/changes.ts";

const change = (by: string, writes: Record<string, string>): ListedChange => ({
  id: by,
  by,
  at: "2030-01-01T11:00:00.000Z",
  environments: Object.entries(writes).map(([environment, time]) => ({
    environment,
    writtenAt: `2030-01-01T${time}:00.000Z`,
    difference: [],
    isTop: false,
    canUndo: false,
  })),
});

it("names the newest write in an environment, although another environment was written later", () => {
  vi.useFakeTimers({ now: Date.parse("2030-01-01T12:00:00.000Z") });
  const changes = [
    change("ann", { development: "11:58", production: "11:30" }),
    change("ben", { development: "11:40", production: "11:50" }),
  ];
  const attributionIn = (name: string) =>
    attributionOf(findNewestWrite(changes, ({ environment }) => environment === name));

  expect(["development", "production", "staging"].map(attributionIn)).toEqual([
    ", by ann, 2 minutes ago",
    ", by ben, 10 minutes ago",
    "",
  ]);
  vi.useRealTimers();
});
