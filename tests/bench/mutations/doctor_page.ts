/** Faults in the doctor's page, and in what is taken out of a report that is pasted. @module */
import { mutationsOf } from "./mutation.ts";

export const DOCTOR_PAGE = mutationsOf({
  "workflows/doctor/redact.ts": [
    ["homes_of_macs_stay", "(?:home|users|Documents", "(?:home|Documents"],
    ["local_e_mails_stay", "|localhost(?!", "|nowhere(?!"],
    ["nothing_is_listed", "if (instead !== found)", "if (instead === found)"],
  ],
  "workflows/doctor_page/reading/diagnose_given.ts": [
    [
      "private_is_not_stripped",
      "stripped: markdownReport(examined, false), whole",
      "stripped: whole, whole",
    ],
    ["nothing_is_taken", "for (const one of takenOut(text)) taken.set(one.text, one);", ""],
    ["packed_lines_as_they_lie", "blob: PACKED.test(path) ? null : blob", "blob"],
  ],
  "workflows/doctor_page/reading/shown_lines.ts": [
    ["a_line_late", "slice((first - 1) - place * EVERY,", "slice(first - place * EVERY,"],
    ["places_of_the_line_before", "if (lines % EVERY === 0)", "if (lines % EVERY === 1)"],
    ["one_line_too_many", "last === at && at > 0 ? lines - 1 : lines", "lines"],
    ["found_at_the_end", "found - BEFORE, text.length", "found, text.length"],
  ],
  "workflows/doctor_page/reading/given_files.ts": [
    ["several_files_are_the_first", "return files.length === 1", "return files.length >= 1"],
  ],
  "workflows/doctor_page/reading/blob_source.ts": [[
    "limit_is_too_much",
    "if (blob.size > limit)",
    "if (blob.size >= limit)",
  ]],
  "workflows/doctor_page/app/proofs.ts": [
    ["proof_a_line_late", "const at = line - from;", "const at = line - from + 1;"],
    ["only_the_last_word", "[...lines.get(line) ?? [], { name, value }]", "[{ name, value }]"],
  ],
  "workflows/doctor_page/app/marked_parts.ts": [
    ["marked_within_a_word", '!WORD.test(text[at - 1] ?? " ") && ', ""],
    ["values_are_not_marked", "return [place, end + own[1]];", "return [place, end];"],
  ],
  "workflows/doctor_page/app/share.ts": [
    ["copies_what_is_private", "strip.checked ? stripped : whole", "strip.checked ? whole : stripped"],
    ["copies_always_the_whole", "() => strip.checked ? stripped : whole", "() => whole"],
    ["strips_only_if_asked", 'type: "checkbox", checked: ""', 'type: "checkbox"'],
  ],
  "workflows/doctor_page/app/element.ts": [
    [
      "texts_are_html",
      "made.append(...children.filter((child) => child !== null));",
      'for (const child of children) {\n    if (typeof child === "string") made.insertAdjacentHTML("beforeend", child);\n    else if (child !== null) made.append(child);\n  }',
    ],
    ["copies_the_name", "copied(text())", "copied(name)"],
  ],
  "workflows/doctor_page/language/when.ts": [
    ["records_are_train_steps", 'counts === "records" ? say.record : say.trainStep', "say.trainStep"],
    ["since_the_first_listed", "if (began !== undefined) return say.since(word, began);", ""],
  ],
  "workflows/doctor_page/page.ts": [
    ["page_may_fetch", "\"connect-src 'none'\"", '"connect-src *"'],
    ["programs_begin_comments", "/<(?=!--|\\/script|script)/gi", "/<(?=\\/script|script)/gi"],
  ],
});
