/** The chat templates of a model folder, by name, each with the file that it stands in. @module */
import { join } from "node:path";
import { templateName } from "../model_files.ts";

export interface ChatTemplates {
  /** Jinja source of the default one, or null. */
  readonly chatTemplate: string | null;
  /** Templates by their names, where the folder has several: default, tool_use, rag, … */
  readonly templates: Readonly<Record<string, string>>;
  /** The file of each template's text, for errors. */
  readonly templateFiles: ReadonlyMap<string, string>;
}

/**
 * chat_template.jinja, else tokenizer_config.json (one text, or a list of named ones), else chat_template.json; by their names
 * also those of additional_chat_templates/. `where` is the folder. Throws a SyntaxError for what is no template.
 */
export function readTemplates(
  files: ReadonlyMap<string, string>,
  settings: Readonly<Record<string, unknown>>,
  separate: Readonly<Record<string, unknown>>,
  where: string,
): ChatTemplates {
  const templates: Record<string, string> = {}, templateFiles = new Map<string, string>();
  const found = (text: string, file: string) => (templateFiles.set(text, join(where, file)), text);
  const own = settings["chat_template"] ?? [], listed = Array.isArray(own) ? own : [{ name: "default", template: own }];
  for (const entry of listed) {
    const { name, template } = (entry ?? {}) as { readonly name?: unknown; readonly template?: unknown };
    if (typeof name !== "string" || typeof template !== "string") throw noTemplate("tokenizer_config.json", where, own);
    templates[name] = found(template, "tokenizer_config.json");
  }
  for (const [path, text] of files) {
    const name = templateName(path);
    if (name !== null) templates[name] = found(text, path);
  }
  const alone = files.get("chat_template.jinja");
  if (alone !== undefined) return { chatTemplate: found(alone, "chat_template.jinja"), templates, templateFiles };
  const other = separate["chat_template"] ?? null, default_ = templates["default"];
  if (default_ !== undefined || other === null) return { chatTemplate: default_ ?? null, templates, templateFiles };
  if (typeof other !== "string") throw noTemplate("chat_template.json", where, other);
  return { chatTemplate: found(other, "chat_template.json"), templates, templateFiles };
}

const noTemplate = (file: string, where: string, found: unknown) =>
  new SyntaxError(
    `Cannot load a tokenizer from ${where}: chat_template of ${file} is ${
      JSON.stringify(found).slice(0, 80)
    }, want a text, or a list of { name, template }; correct it, or take the folder that the model came in`,
  );
