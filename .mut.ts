import { MUTATIONS } from "./tests/bench/mutations/mod.ts";
