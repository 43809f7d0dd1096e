/** The first import of a notebook that runs as a program: from here on it is in a notebook. @module */
import { Capture, install } from "./capture_cells.ts";

export const capture = new Capture();
install(capture);
