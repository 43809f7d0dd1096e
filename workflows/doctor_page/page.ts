/** The doctor as one HTML file: its program, its worker, a policy that forbids everything else. @module */
import { htmlPage } from "../../notebooks/pages/parts.ts";
import { DIAGNOSES } from "../../steps/diagnoses/mod.ts";
import { bundle } from "./bundle.ts";
import { LOOK } from "./look.ts";

const APP = new URL("app/app.ts", import.meta.url), WORKER = new URL("reading/worker.ts", import.meta.url);

const NO_PROGRAM = "This page reads logs by a program of its own: allow JavaScript. 此页面需要 JavaScript。";

/** The page; its size is what it weighs, with all that it needs. */
export async function doctorApp(): Promise<string> {
  const [app, worker] = [inHtml(await bundle(APP)), inHtml(await bundle(WORKER))];
  const body = `<div id="page" data-causes="${Object.keys(DIAGNOSES).length}"></div>
<noscript><main><p>${NO_PROGRAM}</p></main></noscript>`;
  const scripts = `<script type="text/plain" id="worker">${worker}</script>
<script>${app}</script>
`;
  const page = (policy: string) =>
    htmlPage("Nonzero · the doctor", body, "", scripts, {
      head: `<meta http-equiv="Content-Security-Policy" content="${policy}">\n`,
      look: LOOK,
    });
  return page(await policyOf(page("")));
}

/** Nothing is fetched, and no program runs but these: each by the digest of its text. */
async function policyOf(html: string): Promise<string> {
  const digests = async (tag: string) =>
    (await Promise.all(
      Array.from(html.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, "g")), async ([, text]) =>
        `'sha256-${new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toBase64()}'`),
    )).join(" ");
  return [
    "default-src 'none'",
    `script-src ${await digests("script")}`,
    "worker-src blob:",
    `style-src ${await digests("style")}`,
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** A program that ends no element and begins no comment: the same letters, written otherwise. */
function inHtml(program: string): string {
  return program.replace(/<(?=!--|\/script|script)/gi, "\\x3c");
}
