/** What is wrong with an answer, by the routes' documented answers: the OpenAPI document is the one list of them. */
import * as z from "zod/mini";
import { errorSchema } from "../../lib/contract/error-body.ts";
import { previewSchema } from "../../lib/contract/preview.ts";
import { tagsSchema } from "../../lib/contract/tags.ts";
import { featureVariantsSchema } from "../../lib/contract/variants.ts";
import { document } from "../support/document.ts";
import type { Answer } from "./send.ts";
import { keys } from "./world.ts";

export interface Asked {
  method: string;
  /** As it is declared; none where the path fits no route. */
  route: string | undefined;
}

const shapes = {
  error: z.strictObject(errorSchema.shape),
  tags: z.strictObject(tagsSchema.shape),
  variants: z.strictObject(featureVariantsSchema.shape),
  preview: z.strictObject(previewSchema.shape),
  /** What the gateway says itself. */
  message: z.strictObject({ message: z.string() }),
};

const always = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
const alongside: Record<number, string[]> = {
  401: ["www-authenticate"],
  405: ["allow"],
  201: ["location"],
};

/** Of an answer that a function gave. */
export function faultsOfAnswer(answer: Answer, { method, route }: Asked): string[] {
  const { status, headers, body } = answer;
  const documented = statusesOf(method, route);
  const issues = leaks(answer);
  if (status >= 500 || !documented.includes(status)) issues.push(`${status} is not one of ${documented}`);
  for (const [name, value] of Object.entries(always)) {
    if (headers[name] !== value) issues.push(`the header ${name} is ${headers[name]}`);
  }
  for (const name of alongside[status] ?? []) {
    if (!headers[name]) issues.push(`the header ${name} is missing`);
  }
  if (status === 304 || method === "HEAD") return body === "" ? issues : [...issues, "it has a body"];
  if (headers["content-type"] !== "application/json") issues.push(`its type is ${headers["content-type"]}`);
  return [
    ...issues,
    ...misshapen(
      body,
      status >= 400 ? ["error"] : route?.endsWith("/tags") ? ["tags"] : ["variants", "preview"],
    ),
  ];
}

/** Of an answer that the local server gave where no function did. */
export function faultsOfGateway(answer: Answer, method: string, statuses: readonly number[]): string[] {
  const { status, body } = answer;
  const issues = leaks(answer);
  if (!statuses.includes(status)) issues.push(`${status} is not one of ${statuses}`);
  // Of a request that is no HTTP, Node's own server says so without a body.
  const isBare = method === "HEAD" || ((status === 400 || status === 431) && body === "");
  return isBare ? issues : [...issues, ...misshapen(body, ["message"])];
}

/** Of whatever came back over a connection: any number of answers, each of them one of those that there are. */
export function faultsOfBytes(bytes: Buffer): string[] {
  const text = bytes.toString("latin1");
  const heads = [...text.matchAll(/(?:^|(?<=\r\n\r\n|\}))HTTP\/1\.1 (\d{3}) /g)];
  const odd = heads.map(([, status]) => Number(status)).filter((status) => !known.has(status));
  return [
    ...(text === "" || text.startsWith("HTTP/1.1 ") ? [] : [`it begins with ${text.slice(0, 50)}`]),
    ...odd.map((status) => `${status} is no status of ours`),
    ...leaks({ status: 0, headers: {}, body: text }),
  ];
}

/** Node's own server adds what it says of requests that are no HTTP. */
const known = new Set([
  100,
  400,
  404,
  405,
  408,
  413,
  417,
  431,
  ...Object.values(document.paths).flatMap(statusesOfPath),
]);

function statusesOfPath(operations: object): number[] {
  const all = Object.values(operations).flatMap((operation) => Object.keys(operation?.responses ?? {}));
  return all.map(Number).filter((status) => status < 500);
}

function statusesOf(method: string, route: string | undefined): number[] {
  if (route === undefined) return [404];
  const operations = (document.paths as Record<string, Record<string, object>>)[route] ?? {};
  const operation = operations[method.toLowerCase()];
  return operation ? statusesOfPath([operation]) : [405];
}

function misshapen(body: string, any: readonly (keyof typeof shapes)[]): string[] {
  try {
    const json: unknown = JSON.parse(body);
    return any.some((name) => shapes[name].safeParse(json).success)
      ? []
      : [`it is no ${any.join(" or ")}: ${body}`];
  } catch {
    return [`it is no JSON: ${body}`];
  }
}

/** What no answer may hold: a key, or a word of the code. */
function leaks({ headers, body }: Answer): string[] {
  const text = JSON.stringify(headers) + body;
  const inside = /\b(?:Type|Range|Reference|URI)Error\b| {4}at |node_modules|\.cjs\b/.exec(text)?.[0];
  const key = Object.values(keys).find((each) => text.includes(each));
  return [inside, key].filter((word) => word !== undefined).map((word) => `it holds ${word}`);
}
