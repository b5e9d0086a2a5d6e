/** What was sent, what was answered, and what stands in the table afterwards. */

/** Every patch appends its id to a list in each environment that it reaches: the list tells what was done, in which order. */
export interface Sent {
  id: string;
  feature: string;
  /** The environments that it is for; none for an update of tags. */
  environments: readonly string[];
  kind: "patch" | "add tag" | "remove tag";
  /** The tag that it adds or removes. */
  tag?: string;
  /** Whether it must leave nothing behind, whatever is answered: a dry run, a key that is not valid. */
  isHarmless: boolean;
  tries: readonly Try[];
}

export interface Try {
  sentAt: number;
  answeredAt: number;
  status: number;
  /** Of a patch: the environments that the answer says it is in. */
  patched: readonly string[];
}

export interface Standing {
  feature: string;
  tags: readonly string[];
  environments: Readonly<
    Record<string, { ids: readonly string[]; revision: number; weights: readonly number[] }>
  >;
}

export function isAcknowledged({ status }: Try): boolean {
  return status < 300;
}
