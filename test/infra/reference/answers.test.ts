/** Every answer that the document shows is one that the service gives. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Header } from "../../../infra/reference/headers.ts";
import { openBurgee } from "../../support/burgee.ts";
import type { Cases } from "./cases/case.ts";
import * as patches from "./cases/patches.ts";
import * as reads from "./cases/reads.ts";
import * as tags from "./cases/tags.ts";
import { faultsIn, operation, operations } from "./operations.ts";

const demo = JSON.parse(readFileSync("infra/demo.json", "utf8"));
const asked: Record<string, Cases> = { ...tags, ...reads, ...patches };

it("every operation is asked", () => {
  expect(Object.keys(asked).sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
});

describe.each(Object.entries(asked))("%s", (id, cases) => {
  const { responses } = operation(id);

  it("is asked for each example of an answer", () => {
    const examples = Object.entries(responses).flatMap(([status, { content }]) =>
      content ? Object.keys(content["application/json"].examples).map((name) => `${status} ${name}`) : status,
    );
    expect(Object.keys(cases).sort()).toEqual(examples.sort());
  });

  it.each(Object.entries(cases))("answers %s as the document shows it", async (example, ask) => {
    const [status = "", name = ""] = example.split(" ");
    const { content, headers = {} } = responses[status] ?? {};
    const { schema, examples = {} } = content?.["application/json"] ?? {};

    const answer = await ask(await openBurgee(demo));

    expect(answer.status).toBe(Number(status));
    expect(schema ? faultsIn(schema, answer.json) : []).toEqual([]);
    expect(withoutId(answer.json)).toEqual(withoutId(examples[name]?.value));
    const shown = Object.entries(headers).map(([header, described]) => [header, toExpect(described, name)]);
    expect(answer.headers).toMatchObject(Object.fromEntries(shown));
  });
});

/** Each error has an id of its own. */
function withoutId(body: unknown): unknown {
  return body === undefined ? undefined : { ...Object(body), id: undefined };
}

/** As the example has it; where there is a pattern, the value is another each time. */
function toExpect({ schema: { pattern }, example, examples }: Header, name: string): unknown {
  if (pattern === undefined) return String(examples ? examples[name]?.value : example);
  expect(example).toMatch(new RegExp(pattern));
  return expect.stringMatching(new RegExp(pattern));
}
