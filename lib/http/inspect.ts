/** Finds in parsed JSON what no schema should have to think of. */
import { type Fault, fault } from "../contract/check.ts";
import { forbiddenMembers } from "../contract/forbidden-members.ts";
import { limits } from "../contract/limits.ts";

type Place = readonly (string | number)[];

/** The first faults, so many as are told. Nothing recurses deeper than the limit, whatever the body. */
export function inspect(value: unknown, place: Place = [], faults: Fault[] = []): Fault[] {
  if (faults.length >= limits.faults) return faults;
  if (typeof value === "string") {
    // It cannot be stored as sent: UTF-8 has no form for it.
    if (!value.isWellFormed()) faults.push(fault(place, "holds a lone surrogate"));
  } else if (typeof value === "object" && value !== null) {
    if (place.length >= limits.jsonDepth) {
      faults.push(fault(place, `nests deeper than ${limits.jsonDepth} levels`));
    } else if (Array.isArray(value)) {
      for (const [index, element] of value.entries()) inspect(element, [...place, index], faults);
    } else {
      for (const [member, content] of Object.entries(value)) {
        inspectMember(member, place, faults);
        inspect(content, [...place, member], faults);
      }
    }
  }
  return faults;
}

function inspectMember(member: string, place: Place, faults: Fault[]): void {
  if (faults.length >= limits.faults) return;
  if (forbiddenMembers.has(member)) faults.push(fault([...place, member], "is a forbidden name"));
  if (!member.isWellFormed()) faults.push(fault(place, "has a member whose name holds a lone surrogate"));
}
