/** The command line, with its peak memory as one more line at the end. @module */
import process from "node:process";
import { main } from "../../workflows/cli/main.ts";

const code = await main(Deno.args);
console.log(JSON.stringify({ peak_rss_mb: Math.round(process.resourceUsage().maxRSS / 102.4) / 10 }));
Deno.exit(code);
