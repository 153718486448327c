import { createHash } from 'node:crypto';
import multipart from '@fastify/multipart';
import { fastify } from 'fastify';
import { ListRefused, type ImportPlan } from '../../../src/domain/campaigns/import/import-plan.ts';
import { readContacts } from '../../../src/domain/campaigns/import/read-contacts.ts';
import type { IncomingFile } from '../../../src/domain/campaigns/import/incoming-file.ts';
import { readContactListForm } from '../../../src/http/campaigns/contact-list-form.ts';
import { KnownPaths } from '../../../src/http/server/known-paths.ts';
import { handleErrors } from '../../../src/http/server/error-handler.ts';
import { readForm } from '../../../src/http/server/multipart-form.ts';
import { silentLog } from '../../../src/shared/log.ts';
import type { Dice } from '../dice.ts';
import { mutateBytes, mutateText, tokens } from '../mutate.ts';
import { must, type Target } from '../target.ts';

const PLAN: ImportPlan = {
  agentId: 'a',
  versionId: 'v',
  columns: { variablesMap: {}, promptVariables: [], declaredVariables: [] },
  numbers: { callingCode: null, allowPremium: false, allowUnassigned: false },
  removeInvalidRows: true,
  maxRows: 1_000,
  campaign: { name: 'c', callConfig: null, countryCode: null, startAt: null, endAt: null },
};

const LISTS = [
  'Mobile Number,callee_name,city\r\n+919876543210,Asha,Pune\r\n+14155550123,"Ann, ""A""","New\r\nYork"\r\n',
  'sep=;\nMobile Number;callee_name\n+442079460123;Zoë\n٩٨٧٦٥٤٣٢١٠;x\n\n+919876543210;y\n',
  'callee_name\tMobile Number\nA\t00919876543210\nB\t=HYPERLINK("x")\n',
  'Mobile Number,callee_name,Row,Column,Value,Reason,Suggestion\n1,x,1,Mobile Number,1,has 2 cells,+911\n',
  'Mobile Number|a|b\r+919876543211|1|2\r+919876543212|3\r',
];
const CSV_TOKENS = tokens(
  '"¦""¦,¦;¦\t¦|¦\n¦\r\n¦\r¦ "¦" ¦sep=¦=1+1¦\'¦@¦+91¦-¦\\¦\\"¦Mobile Number¦callee_name¦+919876543210',
  '9.19877E+11¦\u202D¦\u00A0¦Row,Column,Value,Reason,Suggestion',
);
const encoded = (text: string, dice: Dice): Buffer => {
  switch (dice.below(6)) {
    case 0:
      return Buffer.from(`\uFEFF${text}`, 'utf16le');
    case 1:
      return Buffer.from(text, 'utf16le');
    case 2:
      return Buffer.from(text, 'latin1');
    case 3:
      return Buffer.from(`\uFEFF${text}`);
    default:
      return Buffer.from(text);
  }
};

/** The sizes of the pieces are the first two bytes. */
const SIZE_BYTES = 2;

async function read(file: Buffer, size: number) {
  const numbers: string[] = [];
  let rejects = '';
  const outcome = await readContacts(PLAN, {
    pieces: async function* () {
      for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size);
    },
    listed: async () => [],
    contact: async ({ number }) => void numbers.push(number),
    reject: async (text) => void (rejects += text),
    progress: () => undefined,
  });
  return { ...outcome, numbers, rejects };
}

const csv: Target = {
  name: 'csv-import',
  make(dice) {
    const list = encoded(mutateText(dice.pick(LISTS), CSV_TOKENS, LISTS, dice), dice);
    const noise = dice.chance(0.1) ? dice.bytes(dice.below(300)) : Buffer.alloc(0);
    const file = Buffer.concat([dice.chance(0.2) ? mutateBytes(list, [list], dice) : list, noise]);
    const size = Buffer.alloc(SIZE_BYTES);
    size.writeUInt16BE(dice.pick([0, 0, 1, 7, 64]));
    return Buffer.concat([size, file]);
  },
  async run(input) {
    const file = input.subarray(SIZE_BYTES);
    // Pieces of production have half a megabyte, so a record spans two at most; here it spans up to fifty.
    const size = Math.max(input.readUInt16BE(0) || file.length, Math.ceil(file.length / 50), 1);
    try {
      const { numbers, rejects, totalRows, successfulRows, failedRows, report } = await read(file, size);
      must(totalRows === successfulRows + failedRows, `${totalRows} rows: ${successfulRows} + ${failedRows}`);
      const { invalid, duplicate, doNotCall } = report.refused ?? { invalid: -1, duplicate: 0, doNotCall: 0 };
      must(invalid + duplicate + doNotCall === failedRows, `${failedRows} refused rows in other sums`);
      must(numbers.length === successfulRows, `${numbers.length} contacts of ${successfulRows} good rows`);
      must(new Set(numbers).size === numbers.length, 'a number is queued twice');
      must(
        numbers.every((number) => /^\+[1-9]\d{6,14}$/.test(number)),
        'a number is not in E.164 form',
      );
      must((rejects === '') === (failedRows === 0), 'rejects without refused rows');
      must(report.invalidRows.length <= 100, 'more than a hundred problems');
      // A corrected CSV of refused rows is uploaded again.
      if (rejects !== '') await read(Buffer.from(rejects), rejects.length);
    } catch (error) {
      if (!(error instanceof ListRefused)) throw error;
    }
  },
};

const EDGE = 'edge-of-a-part';
const part = (head: string, body: string): string =>
  `--${EDGE}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
const FILE = part('name="file"; filename="list.csv"\r\nContent-Type: text/csv', LISTS[0] ?? '');
const FORMS = [
  [part('name="agent_id"', 'a'), FILE, part('name="remove_invalid_rows"', 'true')],
  [FILE, part('name="variables_map"', '{"city":"town"}'), part('name="call_config"', '{"max_retries":2}')],
  [part('name="kb_name"', 'Prices'), FILE.replace('"file"', '"files"'), FILE.replace('"file"', '"files"')],
  [part('name="__proto__"', 'x'), part('name="a"; filename*=UTF-8\'\'%e2%82%ac.csv', 'x'), FILE],
].map((parts) => `${parts.join('')}--${EDGE}--\r\n`);
const FORM_TOKENS = tokens(
  '--edge-of-a-part¦--edge-of-a-part--¦\r\n¦\r\n\r\n¦\n¦name="file"¦name=""¦name=¦filename="a.csv"¦"',
  ';¦=¦Content-Type: text/csv¦Content-Type: multipart/mixed; boundary=x',
  'Content-Transfer-Encoding: base64¦filename*=utf-16\'\'%¦filename="../../x"',
  'Content-Disposition: form-data¦{"a":¦[1¦true¦\u0000¦--¦%¦variables_map',
);
const TYPES = [
  `multipart/form-data; boundary=${EDGE}`,
  `multipart/form-data; boundary="${EDGE}"`,
  `Multipart/Form-Data; charset=utf-8; boundary=${EDGE}`,
  'multipart/form-data; boundary=',
  'multipart/form-data',
  'multipart/mixed; boundary=x',
];

const app = fastify({ bodyLimit: 1_048_576 });
handleErrors(app, silentLog, new KnownPaths(''));
const ready = Promise.resolve(app.register(multipart, { throwFileSizeLimit: true })).then(async () => {
  app.post('/list', async (request) => {
    const hash = createHash('sha256');
    const file = {
      write: async (bytes: Buffer, beforeStoring: () => Promise<void>) => {
        await beforeStoring();
        hash.update(bytes);
      },
      digest: () => hash.copy().digest('hex'),
    } satisfies Pick<IncomingFile, 'write' | 'digest'>;
    const { fields, fileName } = await readContactListForm(
      request,
      file,
      4_096,
      async () => undefined,
      async () => Buffer.from('x'),
    );
    must(Object.keys(fields).length <= 20 && fileName.length <= 255, 'the limits of the form do not hold');
    return {};
  });
  app.post('/documents', async (request) => {
    const rules = { fileField: 'files', maxFiles: 2, maxFileBytes: 4_096, jsonFields: ['variables_map'] };
    const { files } = await readForm(request, rules);
    must(
      files.length <= 2 && files.every(({ content }) => content.length <= 4_096),
      'a file beyond the limit',
    );
    return {};
  });
  await app.ready();
});

/** The first two bytes choose content type and route. */
const forms: Target = {
  name: 'multipart',
  nightly: 1_000,
  make(dice) {
    const text = mutateText(dice.pick(FORMS), FORM_TOKENS, FORMS, dice);
    return Buffer.concat([
      Buffer.from([dice.chance(0.8) ? 0 : dice.below(TYPES.length), dice.below(2)]),
      Buffer.from(text),
    ]);
  },
  async run(input) {
    await ready;
    const answer = await app.inject({
      method: 'POST',
      url: (input[1] ?? 0) % 2 === 0 ? '/list' : '/documents',
      headers: { 'content-type': TYPES[(input[0] ?? 0) % TYPES.length] },
      payload: input.subarray(2),
    });
    must(answer.statusCode < 500, `answers ${answer.statusCode}: ${answer.body.slice(0, 200)}`);
    must(answer.statusCode === 200 || /"message":"[^"]/.test(answer.body), 'an error without a message');
  },
  close: () => app.close(),
};

export const LIST_TARGETS: readonly Target[] = [csv, forms];
