/** What a published JSON Schema says against a document. @module */
import { Validator } from "@cfworker/json-schema";
import { parse } from "yaml";

/** Problems of YAML text, document by document, by the definition that `of` names. */
export async function schemaProblems(
  text: string,
  name: string,
  of: (document: Record<string, unknown>) => string,
): Promise<string[]> {
  const path = new URL(`schemas/${name}.json`, import.meta.url);
  const { definitions } = JSON.parse(await Deno.readTextFile(path)) as { definitions: Record<string, unknown> };
  return text.split(/^---$/m).flatMap((one) => {
    const document = parse(one) as Record<string, unknown>;
    const schema = { $ref: `#/definitions/${of(document)}`, definitions };
    return new Validator(schema, "7", false).validate(document).errors.map(({ instanceLocation, error }) =>
      `${instanceLocation}: ${error}`
    );
  });
}
