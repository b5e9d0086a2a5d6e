/** The Chromium that is installed here, with nothing of its own going on in the background. */
import { existsSync } from "node:fs";
import { type BrowserContext, chromium, type Locator, type Page, type Request } from "playwright-core";

// The shell is Chromium without its windows, which takes half of the processor time.
const usual = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

function findChromium(): string | undefined {
  const { CHROMIUM } = process.env;
  return (CHROMIUM ? [CHROMIUM] : [...usual, chromium.executablePath()]).find((file) => existsSync(file));
}

/** Ends a run in one line where there is none, instead of failing each of its tests. */
export default function setup(): void {
  if (findChromium() !== undefined) return;
  console.error(
    `burgee: no Chromium is installed: run "npx playwright-core install --with-deps chromium", or name one in CHROMIUM`,
  );
  process.exit(1);
}

/** Its pages share one process, which its first, empty page keeps: starting one takes longer than most tests. */
export async function openChromium(...args: string[]): Promise<BrowserContext> {
  return chromium.launchPersistentContext("", {
    executablePath: findChromium() ?? "",
    args: ["--disable-gpu", "--disable-quic", "--renderer-process-limit=1", ...args],
    viewport,
  });
}

export interface OpenedPage {
  page: Page;
  /** To any host. */
  requests: Request[];
  /** Errors of the page, and what its policy blocked. */
  complaints: string[];
}

export const viewport = { width: 1280, height: 900 };

export async function openAt(browser: BrowserContext, url: string): Promise<OpenedPage> {
  const page = await browser.newPage();
  const requests: Request[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => requests.push(request));
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("console", (message) => {
    // Chromium reports every response of 400 and above.
    if (message.type() === "error" && !message.text().includes("Failed to load resource"))
      complaints.push(message.text());
  });
  await page.goto(url);
  return { page, requests, complaints };
}

/** The requests to other hosts. A data URL has no host: it causes no request to one. */
export function strangers(requests: readonly Request[], url: string): string[] {
  const urls = requests.map((request) => new URL(request.url()));
  return urls.filter(({ protocol, host }) => protocol !== "data:" && host !== new URL(url).host).map(String);
}

/** What the page asks before it sends a draft, and what came of it. */
export const confirmationOn = (page: Page): Locator => page.locator(".confirmation");
