/** The pages of the local server: the reference with its document, and the preview of patches. Nothing is loaded from another host. */
import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { authenticate } from "../../lib/access/authenticate.ts";
import { type ApiKeyItem, apiKeyTableKey } from "../../lib/store/items.ts";
import { getItem } from "../../lib/store/read-items.ts";
import type { Session } from "../../lib/store/session.ts";
import { projectFile } from "../cli/project-file.ts";
import { readTable } from "../store/read-table.ts";
import { splitUrl } from "./routes.ts";

/** Like what a function returns, but the body may be a file's. */
export interface Answer {
  statusCode?: number | undefined;
  headers?: Readonly<Record<string, boolean | number | string>> | undefined;
  body?: string | Buffer | undefined;
  isBase64Encoded?: boolean | undefined;
}

/** Returns undefined if the request is not for one of these pages. */
export type Pages = (request: IncomingMessage) => Promise<Answer | undefined>;

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
  ["/patch", projectFile("infra/page/index.html")],
  ["/patch/main.js", projectFile("dist/patch-page.js")],
  ["/patch/page.css", projectFile("infra/page/page.css")],
  ["/patch/icon.svg", projectFile("infra/page/icon.svg")],
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

/**
 * The key is embedded in the pages, and anyone who can open them can read it. The session is for the list of features;
 * without it there is none.
 */
export function createPages(key = "", session?: Session): Pages {
  const attribute = key.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return async ({ url = "", method = "", headers }) => {
    const [name] = splitUrl(url);
    if (session && name === "/patch/features" && method === "GET") return listFeatures(session, headers);
    const file = files.get(name);
    if (file === undefined || !["GET", "HEAD"].includes(method)) return undefined;
    const content = readFileSync(file);
    const type = path.extname(file);
    const body =
      type === ".html"
        ? content.toString().replace('data-key=""', () => `data-key="${attribute}"`)
        : type === ".json"
          ? withServer(content.toString(), headers)
          : content;
    const policy = name === "/patch" ? patchPolicy : referencePolicy;
    return {
      headers: {
        "cache-control": "no-cache",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "content-security-policy": `${policy}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
        "content-type": types[type] ?? "",
      },
      body,
    };
  };
}

/** Names the request's Host as the only server, because the page's policy permits calls to its own origin only. */
function withServer(text: string, { host }: IncomingHttpHeaders): string {
  const document = JSON.parse(text);
  const [local] = document.servers;
  const own = JSON.stringify(`http://${host}`).slice(1, -1);
  return JSON.stringify({ ...document, servers: [local] }).replaceAll(local.url, () => own);
}

/** Lists the features of the table for the patch page. Any valid API key may read every feature, so it may see the list. */
async function listFeatures(session: Session, { authorization }: IncomingHttpHeaders): Promise<Answer> {
  const readApiKey = (hash: string) => getItem<ApiKeyItem>(session, apiKeyTableKey(hash));
  try {
    await authenticate(authorization, { readApiKey, cache: new Map() });
    const { features } = await readTable(session);
    const items = [...features.values()].flatMap(({ item }) => item ?? []);
    const list = items.map(({ name, project }) => ({ feature: name, project }));
    list.sort((left, right) => left.feature.localeCompare(right.feature, "en"));
    const headers = { "content-type": "application/json", "cache-control": "no-store" };
    return { headers, body: JSON.stringify(list) };
  } catch {
    // The page does without the list.
    return { statusCode: 404 };
  }
}
