/** Reads the command blocks of a page. */
import { readFileSync } from "node:fs";

export interface Block {
  heading: string;
  lines: string;
}

export function blocksOf(file: string): Block[] {
  const sections = readFileSync(file, "utf8").split(/^(?=##+ )/m);
  return sections.flatMap((section) => {
    const heading = /^##+ (.+)/.exec(section)?.[1] ?? "";
    return [...section.matchAll(/```sh\n(.+?)```/gs)].map(([, lines = ""]) => ({ heading, lines }));
  });
}
