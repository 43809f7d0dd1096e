/** The rules on images: what they must speak of, and the look-alikes at which it is silent. */
import { fromFileUrl } from "@deno/std/path/from_file_url.js";
import { testRules } from "./rule_cases.ts";

const VISUAL = fromFileUrl(new URL("../../models/qwen2_vl", import.meta.url));
const PICTURES = { file: "pictures.jsonl", verifier: "exact" };

testRules(["images"], [
  {
    rule: "images",
    what: "prompts with images for a model of words alone",
    severity: "error",
    refuses: true,
    fires: { prompts: PICTURES, model: { model: "dropping" } },
    says: /^the prompts have images and the model reads words alone, want one with a vision tower/,
    at: "dropping",
    silent: { prompts: PICTURES, model: { model: VISUAL } },
  },
  {
    rule: "images",
    what: "the same of a preset without a chat template, which is told besides",
    severity: "error",
    refuses: true,
    fires: { prompts: PICTURES },
    says: /^the prompts have images/,
    silent: { prompts: { ...PICTURES, image_column: [] } },
  },
]);

testRules(["chat_template"], [
  {
    rule: "chat_template",
    what: "a prompt with an image by what it says",
    severity: "error",
    refuses: true,
    fires: { prompts: PICTURES },
    says: /^prompt "Which \d+\?" cannot be read: it is a list of messages/,
    silent: { prompts: PICTURES, model: { model: VISUAL } },
  },
]);

const CUT = {
  rule: "image_processor",
  severity: "error",
  refuses: true,
  silent: { model: { model: VISUAL } },
} as const;

testRules(["image_processor"], [
  {
    ...CUT,
    what: "a model with a tower whose folder does not say how images are cut",
    fires: { prompts: PICTURES, model: { model: "uncut" } },
    says: /^Cannot read images: the model has a vision tower and its folder neither preprocessor_config\.json nor/,
    at: "uncut",
  },
  {
    ...CUT,
    what: "the same where no prompt has an image: it is not loaded either",
    fires: { model: { model: "uncut" } },
    says: /^Cannot read images/,
    at: "uncut",
  },
  {
    ...CUT,
    what: "patches of another tower",
    fires: { model: { model: "otherwise_cut", max_pixels: 6272 } },
    says: /^Cannot read images: patch_size of preprocessor_config\.json is 16 and the tower's is 14, want the same/,
    at: "otherwise_cut",
  },
  {
    ...CUT,
    what: "what is not done here",
    fires: { model: { model: "unresized" } },
    says: /^Cannot read preprocessor_config\.json: do_resize is false/,
    at: "unresized",
  },
  {
    ...CUT,
    what: "bounds of the step that no image meets",
    fires: { model: { model: VISUAL, min_pixels: 25088 } },
    says: /at least 25088 pixels are wanted and at most 12544/,
    at: "25088",
  },
  {
    ...CUT,
    what: "bounds of pixels for a model of words alone",
    fires: { model: { max_pixels: 6272 } },
    says: /^Cannot bound the pixels of images: the model reads words alone/,
    at: "6272",
  },
]);
