/** Checks responses against what the OpenAPI document declares for their routes. */
import * as z from "zod/mini";
import { errorSchema } from "../../lib/contract/error-body.ts";
import {
  featureVariantsByNameSchema,
  variantsPreviewByNameSchema,
  variantsPreviewSchema,
} from "../../lib/contract/preview.ts";
import { tagsSchema } from "../../lib/contract/tags.ts";
import { featureVariantsSchema } from "../../lib/contract/variants.ts";
import { document } from "../support/document.ts";
import type { Answer } from "./send.ts";
import { keys } from "./world.ts";

export interface Target {
  method: string;
  /** The declared path; undefined if no route matches. */
  route: string | undefined;
  isDryRun?: boolean;
  isByName?: boolean;
}

const shapes = {
  error: z.strictObject(errorSchema.shape),
  tags: z.strictObject(tagsSchema.shape),
  variants: z.strictObject(featureVariantsSchema.shape),
  preview: z.strictObject(variantsPreviewSchema.shape),
  variantsByName: z.strictObject(featureVariantsByNameSchema.shape),
  previewByName: z.strictObject(variantsPreviewByNameSchema.shape),
  /** The body of the gateway's own responses. */
  message: z.strictObject({ message: z.string() }),
};

const always = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
const alongside: Record<number, string[]> = {
  401: ["www-authenticate"],
  405: ["allow"],
  201: ["location"],
};

/** The issues of a function's response. */
export function issuesOfAnswer(answer: Answer, target: Target): string[] {
  const { method, route } = target;
  const { status, headers, body } = answer;
  const documented = statusesOf(method, route);
  const issues = leaks(answer);
  if (status >= 500 || !documented.includes(status))
    issues.push(`the status ${status} is not one of ${documented}`);
  for (const [name, value] of Object.entries(always)) {
    if (headers[name] !== value) issues.push(`the header ${name} is ${headers[name]}`);
  }
  for (const name of alongside[status] ?? []) {
    if (!headers[name]) issues.push(`the header ${name} is missing`);
  }
  if (status === 304 || method === "HEAD")
    return body === "" ? issues : [...issues, "the response has a body"];
  if (headers["content-type"] !== "application/json")
    issues.push(`the header content-type is ${headers["content-type"]}`);
  return [...issues, ...misshapen(body, status >= 400 ? "error" : shapeOf(target))];
}

function shapeOf({ route, isDryRun = false, isByName = false }: Target): keyof typeof shapes {
  if (route?.endsWith("/tags")) return "tags";
  const shape = isDryRun ? "preview" : "variants";
  return isByName ? `${shape}ByName` : shape;
}

/** The issues of a response of the local server itself. */
export function issuesOfGateway(answer: Answer, method: string, statuses: readonly number[]): string[] {
  const { status, body } = answer;
  const issues = leaks(answer);
  if (!statuses.includes(status)) issues.push(`the status ${status} is not one of ${statuses}`);
  return method === "HEAD" ? issues : [...issues, ...misshapen(body, "message")];
}

/** The issues of all bytes of a connection: any number of responses, each with a known status. */
export function issuesOfBytes(bytes: Buffer, sent: Buffer): string[] {
  const text = bytes.toString("latin1");
  const heads = [...text.matchAll(/(?:^|(?<=\r\n\r\n|\}))HTTP\/1\.1 (\d{3}) /g)];
  const odd = heads.map(([, status]) => Number(status)).filter((status) => !known.has(status));
  return [
    ...(text === "" || text.startsWith("HTTP/1.1 ") ? [] : [`the response begins with ${text.slice(0, 50)}`]),
    ...odd.map((status) => `the status ${status} is not documented`),
    ...leaks({ status: 0, headers: {}, body: text }, hostsOf(sent)),
  ];
}

/** The values that a refusal of the gateway repeats: damaged bytes may put a key there. */
function hostsOf(sent: Buffer): string {
  return [...sent.toString("latin1").matchAll(/^(?:host|origin):.*$/gim)].join("\n");
}

/** Includes the statuses of Node's own server for what is not HTTP. */
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

function misshapen(body: string, name: keyof typeof shapes): string[] {
  try {
    const { success } = shapes[name].safeParse(JSON.parse(body));
    return success ? [] : [`the body is not of the shape ${name}: ${body}`];
  } catch {
    return [`the body is not JSON: ${body}`];
  }
}

/** Finds what no response may contain: an API key, unless it is `repeated`, or internals of the code. */
function leaks({ headers, body }: Answer, repeated = ""): string[] {
  const text = JSON.stringify(headers) + body;
  const inside =
    /\b(?:Type|Range|Reference|URI|Syntax)Error\b|\w+Exception\b| {4}at |node_modules|\.cjs\b/.exec(
      text,
    )?.[0];
  const key = Object.values(keys).find((each) => text.includes(each) && !repeated.includes(each));
  return [inside, key].filter((word) => word !== undefined).map((word) => `the response contains ${word}`);
}
