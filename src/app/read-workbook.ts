import { errors } from '../errors.ts';
import { extractTable } from '../jobs/ingest/extractor.ts';
import { FairSlots } from '../jobs/ingest/fair-slots.ts';
import { UnreadableDocument } from '../jobs/ingest/zip-entries.ts';

/** Each reader may take half a gigabyte. */
const slots = new FairSlots({ total: 1, perKey: 1 });

/** Reads the first sheet of an Excel workbook as CSV, one workbook after another. Throws 422. */
export const readWorkbook = (bytes: Buffer): Promise<Buffer> =>
  slots.run('', async () => {
    try {
      return Buffer.from(await extractTable(bytes));
    } catch (error) {
      if (!(error instanceof UnreadableDocument)) throw error;
      throw errors.invalid('file', `${error.message}: save the list as CSV and send that file`);
    }
  });
