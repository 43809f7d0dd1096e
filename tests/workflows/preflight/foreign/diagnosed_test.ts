import { DIAGNOSED } from "../../../../workflows/preflight/foreign/diagnosed.ts";
import { testRules } from "./cases.ts";

testRules(DIAGNOSED);
