/** One operation of the document: a method of a path. */
import type { Answers, Content } from "./answers.ts";
import type { Reference } from "./schemas.ts";

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: Reference[];
  requestBody?: RequestBody;
  responses: Answers;
}

export interface RequestBody {
  required: true;
  /** By media type. */
  content: Readonly<Record<string, Content>>;
}

export function paragraphs(...texts: string[]): string {
  return texts.join("\n\n");
}

/** The same body in each of these media types. */
export function requestBody(mediaTypes: readonly string[], content: Content): RequestBody {
  return {
    required: true,
    content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, content])),
  };
}
