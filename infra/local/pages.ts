/** The pages of the local server: the reference with its document, and the preview of patches. Nothing is loaded from another host. */
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { authenticate, createKeyCache } from "../../lib/access/authenticate.ts";
import { type ApiKeyItem, apiKeyKey, getItem } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import { projectFile } from "../project-file.ts";
import { readTable } from "../store/read-table.ts";

/** Responds to a request for one of these pages, and returns whether it was one. */
export type Pages = (request: IncomingMessage, response: ServerResponse) => boolean;

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
  ["/patch", projectFile("infra/patch-page/index.html")],
  ["/patch/main.js", projectFile("dist/patch-page.js")],
  ["/patch/page.css", projectFile("infra/patch-page/page.css")],
  ["/patch/icon.svg", projectFile("infra/patch-page/icon.svg")],
]);

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};

/** Swagger UI writes style attributes, and draws its icons from data URLs. */
const referencePolicy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

/**
 * The preview page may call any HTTPS address, and HTTP on this machine, because the user enters the server's address.
 * It writes no markup.
 */
const patchPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' https: http://localhost:* http://127.0.0.1:*; require-trusted-types-for 'script'; trusted-types 'none'";

interface Options {
  /** Is embedded in the pages, and anyone who can open them can read it. */
  key: string | undefined;
  /** For the list of features; without it there is none. */
  session: Session | undefined;
}

export function createPages({ key = "", session }: Options): Pages {
  const attribute = key.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return (request, response) => {
    const [url = ""] = (request.url ?? "").split("?");
    if (session && url === "/patch/features" && request.method === "GET") {
      void sendFeatures(session, request, response);
      return true;
    }
    const file = files.get(url);
    if (file === undefined || !["GET", "HEAD"].includes(request.method ?? "")) return false;
    const content = readFileSync(file);
    const type = path.extname(file);
    const body =
      type === ".html"
        ? content.toString().replace('data-key=""', () => `data-key="${attribute}"`)
        : type === ".json"
          ? withServer(content.toString(), request)
          : content;
    const policy = url === "/patch" ? patchPolicy : referencePolicy;
    response.writeHead(200, {
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "content-security-policy": `${policy}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      "content-type": types[type],
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
    return true;
  };
}

/** Names the request's Host as the only server, because the page's policy permits calls to its own origin only. */
function withServer(text: string, { headers }: IncomingMessage): string {
  const document = JSON.parse(text);
  const [local] = document.servers;
  const own = JSON.stringify({ ...document, servers: [local] });
  return own.replaceAll(local.url, `http://${headers.host}`);
}

/** Lists the features of the table for the patch page. Any valid API key may read every feature, so it may see the list. */
async function sendFeatures(
  session: Session,
  { headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const readApiKey = (hash: string) => getItem<ApiKeyItem>(session, apiKeyKey(hash));
  try {
    await authenticate(headers.authorization, { readApiKey, cache: createKeyCache({ seconds: 0 }) });
    const { features } = await readTable(session);
    const items = [...features.values()].flatMap(({ item }) => item ?? []);
    const list = items.map(({ name, project }) => ({ feature: name, project }));
    list.sort((left, right) => left.feature.localeCompare(right.feature, "en"));
    response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" });
    response.end(JSON.stringify(list));
  } catch {
    // The page does without the list.
    response.writeHead(404).end();
  }
}
