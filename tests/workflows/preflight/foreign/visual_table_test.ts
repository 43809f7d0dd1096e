import { VISUAL_RULES } from "../../../../workflows/preflight/foreign/visual_table.ts";
import { testRules } from "./cases.ts";

testRules(VISUAL_RULES);
