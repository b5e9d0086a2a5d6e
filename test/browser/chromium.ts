/** The Chromium that is installed here, with nothing of its own going on in the background. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const usual = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export async function openChromium(...args: string[]): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? usual.find(existsSync);
  if (executablePath === undefined || !existsSync(executablePath)) {
    throw new Error(
      `no Chromium at ${executablePath ?? usual.join(", ")}: install one (apt-get install chromium), or name it in CHROMIUM`,
    );
  }
  return chromium.launch({
    executablePath,
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
