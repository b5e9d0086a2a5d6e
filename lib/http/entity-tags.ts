/** The values of if-match and if-none-match: RFC 9110 section 8.8.3. */

export interface EntityTag {
  tag: string;
  isWeak: boolean;
}

const entityTag = /^(W\/)?"([!#-~\u0080-\u00ff]*)"$/;

/** Undefined if it is neither "*" nor a list of entity tags. None of our tags has a comma. */
export function entityTags(value: string): "*" | EntityTag[] | undefined {
  if (value.trim() === "*") return "*";
  const tags = value.split(",").map((member) => {
    const [matched, weak, tag = ""] = entityTag.exec(member.trim()) ?? [];
    return matched === undefined ? undefined : { tag, isWeak: weak !== undefined };
  });
  return tags.every((tag) => tag !== undefined) ? tags : undefined;
}
