/** `doctor-page`: writes the doctor as one HTML file that works without a network. @module */
import { pathArgument, shownPath } from "../terminal/paths.ts";
import { stdout } from "../terminal/terminal.ts";
import { defineCommand } from "./command.ts";
import { pageFile } from "./page_file.ts";

const FILE = "doctor.html";

export const doctorPage = defineCommand({
  about: "Write the doctor as one HTML page: drop or paste a log, nothing leaves the browser",
  usage: "[FILE]",
  words: [0, 1],
  options: {},
  notes: [
    `FILE is ${FILE} where none is given. The page holds the reader and the rules of \`diagnose\``,
    "and asks for no network. Run folders of ours and of MLflow and SQLite databases it leaves to",
    "`diagnose`: docs/doctor_page.md.",
  ],
  examples: ["public/doctor.html"],
  async run([typed = FILE]) {
    pageFile(typed, "FILE");
    const { doctorApp } = await import("../doctor_page/page.ts");
    const { writePage } = await import("../store/write_file.ts");
    const html = await doctorApp(), path = pathArgument(typed);
    writePage(path, html);
    const megabytes = new TextEncoder().encode(html).length / 1e6;
    stdout.line(`${shownPath(path)} (${megabytes.toFixed(1)} MB): open it in a browser`);
    return 0;
  },
});
