/** The reference page of the local server, and the document that it shows. Nothing on it comes from elsewhere. */
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { projectFile } from "../project-file.ts";
import type { Document } from "./document.ts";

/** Responds to a request for one of these pages, and returns whether it was one. */
export type Pages = (request: IncomingMessage, response: ServerResponse) => boolean;

interface Page {
  type: string;
  policy?: string;
  read(request: IncomingMessage): string | Buffer;
}

const require = createRequire(import.meta.url);
const html = projectFile("infra/reference/page/index.html");

const headers = {
  "cache-control": "no-cache",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  // Swagger UI writes style attributes, and draws its icons from data URLs.
  "content-security-policy":
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** The preview page calls any Burgee that it is given the address of, and writes no markup. */
const patchPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' https: http://localhost:* http://127.0.0.1:*; require-trusted-types-for 'script'; trusted-types 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** With a key, the page has it filled in: anyone who can reach the page can read it there. */
export function createPages({ key = "" }: { key?: string | undefined } = {}): Pages {
  const pages = new Map<string, Page>([
    ["/", { type: "text/html; charset=utf-8", read: () => withKey(readFileSync(html, "utf8"), key) }],
    [
      "/patch",
      {
        type: "text/html; charset=utf-8",
        policy: patchPolicy,
        read: () => withKey(readFileSync(projectFile("infra/patch-page/index.html"), "utf8"), key),
      },
    ],
    ["/patch/main.js", file("text/javascript; charset=utf-8", projectFile("dist/patch-page.js"))],
    ["/patch/page.css", file("text/css; charset=utf-8", projectFile("infra/patch-page/page.css"))],
    ["/patch/icon.svg", file("image/svg+xml", projectFile("infra/patch-page/icon.svg"))],
    ["/openapi.json", { type: "application/json", read: readDocument }],
    [
      "/reference/start.js",
      file("text/javascript; charset=utf-8", projectFile("infra/reference/page/start.js")),
    ],
    ["/reference/swagger-ui.css", packaged("text/css; charset=utf-8", "swagger-ui.css")],
    ["/reference/swagger-ui-bundle.js", packaged("text/javascript; charset=utf-8", "swagger-ui-bundle.js")],
    ["/reference/favicon.png", packaged("image/png", "favicon-32x32.png")],
  ]);
  return (request, response) => {
    const { method, url = "" } = request;
    const page = method === "GET" || method === "HEAD" ? pages.get(url.split("?")[0] ?? "") : undefined;
    if (!page) return false;
    const body = page.read(request);
    response.writeHead(200, {
      ...headers,
      ...(page.policy && { "content-security-policy": page.policy }),
      "content-type": page.type,
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
    return true;
  };
}

function file(type: string, name: string): Page {
  return { type, read: () => readFileSync(name) };
}

function packaged(type: string, name: string): Page {
  return file(type, path.join(path.dirname(require.resolve("swagger-ui-dist/package.json")), name));
}

/** The server is named as the client named it: a page may only call the host that it came from. */
function readDocument({ headers: { host }, socket }: IncomingMessage): string {
  const document: Document = JSON.parse(readFileSync(projectFile("infra/reference/openapi.json"), "utf8"));
  const url = `http://${host ?? `127.0.0.1:${socket.localPort}`}`;
  document.servers = [{ url, description: "This server" }];
  return JSON.stringify(document);
}

function withKey(text: string, key: string): string {
  const attribute = key.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return text.replace('data-key=""', () => `data-key="${attribute}"`);
}
