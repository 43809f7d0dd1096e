/** Where a schedule can be installed. @module */
import { crontab } from "./crontab.ts";
import { github } from "./github.ts";
import { kubernetes } from "./kubernetes.ts";
import { systemd } from "./systemd.ts";
import type { Target } from "./target.ts";

export const TARGETS = { systemd, crontab, github, kubernetes } as const satisfies Record<string, Target>;

export type TargetName = keyof typeof TARGETS;
