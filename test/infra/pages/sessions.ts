/** The console sessions of a page: each command, and what it printed. `...` stands for what is left out. */

export interface Step {
  command: string;
  printed: string;
}

/** By the heading that they stand under, as one may go on where the one before it ended. */
export function sessionsOf(page: string): { heading: string; steps: Step[] }[] {
  return page.split(/^(?=#{2,3} )/m).flatMap((section) => {
    const heading = /^#+ (.+)/.exec(section)?.[1] ?? "";
    const steps = [...section.matchAll(/```console\n(.+?)```/gs)].flatMap(([, text = ""]) => stepsOf(text));
    return steps.length > 0 ? [{ heading, steps }] : [];
  });
}

function stepsOf(text: string): Step[] {
  const [, ...steps] = text.replaceAll("\\\n", " ").split(/^\$ /m);
  return steps.map((step) => {
    const end = step.indexOf("\n");
    return { command: step.slice(0, end), printed: step.slice(end) };
  });
}

/** As a shell splits them. */
export function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

/** All but space must be the same; ids and new keys only in their form. */
export function looksLike(printed: string): RegExp {
  const parts = printed.replaceAll(/\s/g, "").split("...");
  const pattern = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const anyId = pattern
    .join(".*")
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "[0-9a-f-]{36}")
    .replaceAll(/burgee_[\w-]{43}/g, "burgee_[\\w-]{43}");
  return new RegExp(`^${anyId}$`);
}
