/** How much of a stranger's data is held at a time. @module */

export const LIMITS = {
  /** A file whose rows are held together. */
  bytes: 500e6,
  /** A line of JSON or a cell, bytes: an image in it may be large, a prompt is not. */
  line: 16e6,
  /** Rows that are held together. */
  rows: 2e6,
  /** Lists and objects in one another: a conversation with tools has ten. */
  depth: 100,
  /** Names of columns that are collected. */
  columns: 10_000,
  /** Bytes of a text that is compressed. */
  unpacked: 50e9,
  /** Its bytes for each that is in the file, once there are more than `unpackedFreely`: texts reach 20, bombs 1000. */
  expansion: 100,
  unpackedFreely: 100e6,
  /** A record batch of Arrow. */
  batch: 1e9,
  /** The description of a batch of Arrow, or the footer of Parquet. */
  description: 64e6,
} as const;

export const megabytes = (bytes: number) => Math.ceil(bytes / 1e6);
