import { errors } from '../errors.ts';
import { extractTable } from '../jobs/ingest/extractor.ts';
import { UnreadableDocument } from '../jobs/ingest/zip-entries.ts';
import { Shares } from '../shared/shares/shares.ts';
import { currentTenant } from '../shared/shares/tenant.ts';

/** Each reader may take half a gigabyte. */
const readers = new Shares({ places: 1, parts: 1, waiting: { perTenant: 8, ms: 60_000 } });

/** Reads the first sheet of an Excel workbook as CSV, one workbook after another. Throws 422. */
export const readWorkbook = (bytes: Buffer): Promise<Buffer> =>
  readers.within(currentTenant()?.id ?? '', async () => {
    try {
      return Buffer.from(await extractTable(bytes));
    } catch (error) {
      if (!(error instanceof UnreadableDocument)) throw error;
      throw errors.invalid('file', `${error.message}: save the list as CSV and send that file`);
    }
  });
