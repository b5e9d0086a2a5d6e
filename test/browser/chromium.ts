/** The Chromium that is installed here, with nothing of its own going on in the background. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const usual = [
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

export async function openChromium(...args: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium() ?? "",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...args,
    ],
  });
}
