/**
 * Serves the page /patch. Users enter their API key on it, so its headers permit only its own script and style, and
 * this API.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Answer, PageRoute } from "./route.ts";

export const patchPageFile = "patch-page.html";

/** The page shows its stage, which is in the name of the function. */
export function createPatchPage(folder: string, functionName = ""): PageRoute {
  const [, stage = ""] = /^burgee-(.+)-read$/.exec(functionName) ?? [];
  let answer: Answer | undefined;
  return {
    method: "GET",
    path: "/patch",
    page() {
      answer ??= toPageAnswer(withStage(readPatchPage(path.join(folder, patchPageFile)), stage));
      return answer;
    },
  };
}

export function readPatchPage(file: string) {
  const html = readFileSync(file, "utf8");
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf("script", html)}`,
    `style-src ${hashOf("style", html)}`,
    "img-src data:",
    "connect-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy.join("; "),
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "strict-transport-security": "max-age=31536000",
  };
  return { html, headers };
}

/** Gives the page the name of its stage, which has letters, digits and hyphens only. */
function withStage({ html, headers }: ReturnType<typeof readPatchPage>, stage: string) {
  return { headers, html: html.replace("<body", `<body data-stage="${stage.replaceAll(/[^\w-]/g, "")}"`) };
}

/** Every browser accepts gzip. */
function toPageAnswer({ html, headers }: ReturnType<typeof readPatchPage>): Answer {
  return { status: 200, etag: digest(html, "base64url"), headers, rawBody: gzipSync(html) };
}

function hashOf(name: "script" | "style", html: string): string {
  const [, content = ""] = new RegExp(`<${name}[^>]*>(.*?)</${name}>`, "s").exec(html) ?? [];
  return `'sha256-${digest(content, "base64")}'`;
}

function digest(text: string, encoding: "base64" | "base64url"): string {
  return createHash("sha256").update(text).digest(encoding);
}
