/**
 * What the values of a DELTA_BYTE_ARRAY page add to its bytes: each begins with a prefix of the one before.
 *
 * A page of 200 kB can say "the same again" 20,000 times: 4 GB that neither the footer nor a page header mentions.
 * @module
 */
import type { ColumnMetaData, Compressors, PageHeader, SchemaElement } from "hyparquet";
import { decompressPage, readDataPage, readDataPageV2 } from "hyparquet/src/datapage.js";
import { getSchemaPath } from "hyparquet/src/schema.js";

/** Bytes of all prefixes of a page; 0 for another encoding. Reads the prefixes' lengths, not the values. */
export function prefixBytes(
  page: Uint8Array,
  header: PageHeader,
  chunk: ColumnMetaData,
  schema: SchemaElement[],
  compressors: Compressors,
): number {
  const counts = header.data_page_header ?? header.data_page_header_v2;
  if (counts?.encoding !== "DELTA_BYTE_ARRAY") return 0;
  const schemaPath = getSchemaPath(schema, chunk.path_in_schema);
  const { element } = schemaPath.at(-1)!;
  // The lengths come first, as a list of integers of their own.
  const column = { type: "INT32", element, schemaPath, codec: chunk.codec, compressors } as const;
  const encoding = "DELTA_BINARY_PACKED";
  const decoder = column as unknown as Parameters<typeof readDataPage>[2];
  const { dataPage } = header.data_page_header
    ? readDataPage(
      decompressPage(page, Number(header.uncompressed_page_size), chunk.codec, compressors),
      { ...header.data_page_header, encoding },
      decoder,
    )
    : readDataPageV2(page, { ...header, data_page_header_v2: { ...header.data_page_header_v2!, encoding } }, decoder);
  let bytes = 0;
  for (const length of dataPage as Int32Array) bytes += Math.max(0, length);
  return bytes;
}
