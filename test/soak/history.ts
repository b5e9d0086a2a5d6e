/** The requests, their responses, and the stored state afterwards. */

/** Every patch appends its id to a list in each environment: the list records the patches in order. */
export interface Sent {
  id: string;
  feature: string;
  /** The patched environments; none for an update of tags. */
  environments: readonly string[];
  kind: "patch" | "add tag" | "remove tag";
  /** The tag that it adds or removes. */
  tag?: string;
  /** Whether it must change nothing, whatever the response: a dry run, or an invalid key. */
  isHarmless: boolean;
  attempts: readonly Attempt[];
}

export interface Attempt {
  sentAt: number;
  answeredAt: number;
  status: number;
  /** Of a patch: the environments that are patched according to the response. */
  patched: readonly string[];
}

export interface Standing {
  feature: string;
  tags: readonly string[];
  environments: Readonly<
    Record<string, { ids: readonly string[]; revision: number; weights: readonly number[] }>
  >;
}

export function isAcknowledged({ status }: Attempt): boolean {
  return status < 300;
}
