/** What a call has, whichever it is. */
import type { Expressions } from "./evaluate.ts";
import type { Table } from "./table.ts";
import { type Item, NotUnderstood } from "./values.ts";

export type Input = Readonly<Record<string, unknown>>;
export type Answer = Readonly<Record<string, unknown>>;

/** What came of one atomic step: something seen, after which others may come between, or the answer. */
export type Progress = { seen: Item | undefined } | { answer: Answer };

/** The next step of a call that has seen so much. It keeps nothing itself, so it can be gone back to. */
export type Step = (table: Table, input: Input, seen: readonly (Item | undefined)[]) => Progress;

export interface ItemCall extends Expressions {
  Key?: Item;
  Item?: Item;
  ReturnValues?: string;
  ReturnValuesOnConditionCheckFailure?: string;
}

export function requireMembers(input: object, members: readonly string[], where: string): void {
  for (const member of Object.keys(input)) {
    if (!members.includes(member)) throw new NotUnderstood(`${where} with ${member}`);
  }
}
