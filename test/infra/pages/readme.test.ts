/** The README's sessions, typed one after the other as they stand there, against a server that has just been started. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { startBurgee } from "burgee/local";
import { afterAll, expect, it } from "vitest";
import { newFolder, runProcess } from "../admin/command-line.ts";

const page = readFileSync("README.md", "utf8");
const sessions = sessionsOf(page);
const data = path.join(newFolder().path, ".burgee");
const demo = "http://127.0.0.1:3000/api/admin/projects/default/features/checkout";

const burgee = await startBurgee();
afterAll(() => burgee.stop());

it("the README has sessions, and the set-up that test:package runs", () => {
  expect(sessions.length).toBeGreaterThan(2);
  expect(page).toContain(readFileSync("test/package/project/burgee.spec.ts", "utf8"));
});

it.each(sessions)("$heading", async ({ steps }) => {
  for (const { command, printed } of steps) {
    const answer = command.startsWith("curl ") ? await curl(command) : await admin(command);

    expect(answer.replaceAll(/\s/g, ""), command).toMatch(looksLike(printed));
  }
});

/** What is left out of a call stands in the first one of the page. */
async function curl(command: string): Promise<string> {
  const headers = new Headers({ authorization: burgee.keys.demo, "content-type": "application/json" });
  const request: RequestInit = { headers };
  let url = `${demo}/variants`;
  let isVerbose = false;
  const words = wordsOf(command).slice(1);
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === "-i") isVerbose = true;
    else if (word === "-X") request.method = words.shift() ?? "";
    else if (word === "-d") request.body = words.shift() ?? "";
    else if (word === "-H") {
      const [name = "", value = ""] = (words.shift() ?? "").split(": ");
      headers.set(name, value);
    } else if (word !== "...") url = word.replace("...", demo);
  }
  const response = await fetch(url.replace("http://127.0.0.1:3000", burgee.url), request);
  const { status, statusText } = response;
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  const head = isVerbose ? [`HTTP/1.1 ${status} ${statusText}`, ...lines] : [];
  return [...head, await response.text()].join("\n");
}

async function admin(command: string): Promise<string> {
  const [, ...given] = command.split(" -- ");
  const words = wordsOf(given.join(" ")).map((word) => (word === ".burgee" ? data : word));
  const { out, err } = await runProcess(words);
  // A person sees both.
  return `${err}${out}`;
}

/** The console sessions by heading, as one may go on where the one before it ended: commands, and what they printed. */
function sessionsOf(page: string) {
  return page.split(/^(?=#{2,3} )/m).flatMap((section) => {
    const heading = /^#+ (.+)/.exec(section)?.[1] ?? "";
    const steps = [...section.matchAll(/```console\n(.+?)```/gs)].flatMap(([, text = ""]) => stepsOf(text));
    return steps.length > 0 ? [{ heading, steps }] : [];
  });
}

function stepsOf(text: string) {
  const [, ...steps] = text.replaceAll("\\\n", " ").split(/^\$ /m);
  return steps.map((step) => {
    const end = step.indexOf("\n");
    return { command: step.slice(0, end), printed: step.slice(end) };
  });
}

/** As a shell splits them. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

/** All but space must be the same; ids and new keys only in their form. `...` stands for what is left out. */
function looksLike(printed: string): RegExp {
  const parts = printed.replaceAll(/\s/g, "").split("...");
  const pattern = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const anyId = pattern
    .join(".*")
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "[0-9a-f-]{36}")
    .replaceAll(/burgee_[\w-]{43}/g, "burgee_[\\w-]{43}");
  return new RegExp(`^${anyId}$`);
}
