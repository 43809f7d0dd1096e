/** A kind of slow death. @module */
import type { Document, Draw } from "./documents.ts";
import { behind, type Died, either, fell } from "./truth.ts";

export interface Kind {
  /** The label, and neighbours that the log may not exclude. */
  readonly cause: string;
  readonly also: readonly string[];
  readonly why: string;
  readonly document: (draw: Draw) => Document;
  /** The same without the cause: a healthy run. */
  readonly twin: (draw: Draw) => Document;
  /** The train step from which the cause acts. */
  readonly from: number;
  readonly died: Died;
}

/** Held-out accuracy ends far below its best, or far behind the twin's. */
export const FALLS: Died = either(fell(0.15), behind(0.15));
