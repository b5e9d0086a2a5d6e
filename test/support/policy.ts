/** Reads what a role of a template permits. */
export interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
}

export interface Role {
  Properties: { Policies: { PolicyDocument: { Statement: Statement[] } }[] };
}

export function statementsOf({ Properties }: Role): Statement[] {
  return Properties.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

/** The permitted operations of a service: "GetItem", "UpdateItem"... */
export function operationsOf(role: Role, service: string): string[] {
  return statementsOf(role)
    .flatMap(({ Action }) => Action)
    .filter((action) => action.startsWith(`${service}:`))
    .map((action) => action.slice(service.length + 1))
    .sort();
}
