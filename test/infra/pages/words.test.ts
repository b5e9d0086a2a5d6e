/** The pages keep to their budgets of words, so that they are read. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const budgets: Record<string, number> = {
  "README.md": 1500,
  "infra/API.md": 1500,
  "infra/OPERATIONS.md": 2000,
  "infra/RUNBOOK.md": 1500,
};
const otherwise = 1250;
/** Without the README. */
const together = 11_000;

const words = (page: string) => readFileSync(page, "utf8").split(/\s+/).filter(Boolean).length;
const pages = [".", "infra", "test/bench", "test/explore"].flatMap((folder) =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".md"))
    .map((file) => (folder === "." ? file : `${folder}/${file}`)),
);

it.each(pages)("%s is within its budget", (page) => {
  expect(words(page)).toBeLessThanOrEqual(budgets[page] ?? otherwise);
});

it("all of them but the README are, together", () => {
  const others = pages.filter((page) => page !== "README.md");
  expect(others.reduce((sum, page) => sum + words(page), 0)).toBeLessThanOrEqual(together);
});

it("the README has no cell of more than 25 words", () => {
  const rows = readFileSync("README.md", "utf8")
    .split("\n")
    .filter((line) => line.startsWith("|"));
  const cells = rows.flatMap((row) => row.split("|"));

  expect(cells.filter((cell) => cell.trim().split(/\s+/).length > 25)).toEqual([]);
});
