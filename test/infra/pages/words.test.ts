/** The pages keep to their budgets of words, so that they are read. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const budgets: Record<string, number> = {
  "README.md": 1500,
  "infra/API.md": 1500,
  "infra/OPERATIONS.md": 2000,
  "infra/RUNBOOK.md": 1500,
};
const mostInAll = 11_000;

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== "").length;
const pages = ["", "infra/", "test/bench/", "test/explore/"].flatMap((folder) =>
  readdirSync(folder || ".")
    .filter((file) => file.endsWith(".md"))
    .map((file) => `${folder}${file}`),
);

it.each(pages)("%s is within its budget", (page) => {
  expect(wordsOf(readFileSync(page, "utf8"))).toBeLessThanOrEqual(budgets[page] ?? 1250);
});
