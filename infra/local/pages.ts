/**
 * Serves the pages of the local server: the API reference with its document, and /patch. They load nothing from other
 * hosts.
 */
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { patchPageFile, readPatchPage } from "../../lib/http/patch-page.ts";
import { projectFile } from "../cli/project-file.ts";
import { splitUrl } from "./routes.ts";

/** The result of a function, or a page, whose body may be the bytes of a file. */
export interface GatewayResponse {
  statusCode?: number | undefined;
  headers?: Readonly<Record<string, boolean | number | string>> | undefined;
  body?: string | Buffer | undefined;
  isBase64Encoded?: boolean | undefined;
}

/** Returns undefined if the request is not for one of these pages. */
export type Pages = (request: IncomingMessage) => GatewayResponse | undefined;

const require = createRequire(import.meta.url);
const swagger = path.dirname(require.resolve("swagger-ui-dist/package.json"));

const files = new Map([
  ["/", projectFile("infra/reference/page/index.html")],
  ["/openapi.json", projectFile("infra/reference/openapi.json")],
  ["/reference/start.js", projectFile("infra/reference/page/start.js")],
  ["/reference/page.css", projectFile("infra/reference/page/page.css")],
  ["/reference/swagger-ui.css", path.join(swagger, "swagger-ui.css")],
  ["/reference/swagger-ui-bundle.js", path.join(swagger, "swagger-ui-bundle.js")],
  ["/reference/favicon.png", path.join(swagger, "favicon-32x32.png")],
]);

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
};

const headers = {
  "cache-control": "no-cache",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  // Swagger UI writes style attributes, and draws its icons from data URLs.
  "content-security-policy":
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** Makes the pages with the key in them, where anyone who can open them can read it. */
export function createPages(key = ""): Pages {
  const attribute = key.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const withKey = (html: string) => html.replace("<body", () => `<body data-key="${attribute}"`);
  return ({ url = "", method = "", headers: { host } }) => {
    const [name] = splitUrl(url);
    if (!["GET", "HEAD"].includes(method)) return undefined;
    if (name === "/patch") {
      const { html, headers } = readPatchPage(projectFile(path.join("dist", patchPageFile)));
      return { headers, body: withKey(html) };
    }
    const file = files.get(name);
    if (file === undefined) return undefined;
    const content = readFileSync(file);
    const type = path.extname(file);
    const edited = { ".html": withKey, ".json": (text: string) => withServer(text, host) }[type];
    return {
      headers: { ...headers, "content-type": types[type] ?? "" },
      body: edited ? edited(content.toString()) : content,
    };
  };
}

/** Names the request's host as the only server, because the page's policy permits calls to its own origin only. */
function withServer(text: string, host = ""): string {
  const document = JSON.parse(text);
  const [local] = document.servers;
  const own = JSON.stringify(`http://${host}`).slice(1, -1);
  return JSON.stringify({ ...document, servers: [local] }).replaceAll(local.url, () => own);
}
