/** Compares what a command prints with what a page shows of it. */

/** All but space must be the same; ids and new keys only in their form. `...` stands for what is left out. */
export function looksLike(shown: string): RegExp {
  const parts = shown.replaceAll(/\s/g, "").split("...");
  const pattern = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const anyId = pattern
    .join(".*")
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "[0-9a-f-]{36}")
    .replaceAll(/burgee_[\w-]{43}/g, "burgee_[\\w-]{43}")
    .replaceAll(/(?<=thechange|Undid|"change":")[\w-]{11}/g, "[\\w-]{11}");
  return new RegExp(`^${anyId}$`);
}
