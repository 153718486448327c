import type { FastifyRequest } from 'fastify';
import type { IncomingFile } from '../../domain/campaigns/import/incoming-file.ts';
import { errors, type FieldProblem } from '../../errors.ts';
import { listText, type ReadWorkbook } from '../common/list-text.ts';
import { checkNamed, refusal, shownName, type FormRules } from '../server/multipart-form.ts';
import { findUnstorable } from '../server/validation.ts';

const FIELDS = { fieldNameSize: 100, fieldSize: 1_048_576, fields: 20 };
const JSON_FIELDS = new Set(['variables_map', 'call_config', 'template']);

export interface ContactListForm {
  /** Values by name: JSON fields are parsed, blank fields are omitted. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly fileName: string;
}

/**
 * Parses the multipart form of a contact list as a stream: the file goes to `file` in pieces, wherever it stands in
 * the form. An Excel workbook becomes CSV first. A list of several pieces whose form names the agent first is refused for the agent before it is stored.
 * Throws 422 naming the field. Sets `request.body` to the value that the Idempotency-Key is compared with.
 */
export async function readContactListForm(
  request: FastifyRequest,
  file: Pick<IncomingFile, 'write' | 'digest'>,
  maxFileBytes: number,
  checkAgent: (agentId: string) => Promise<void>,
  readWorkbook: ReadWorkbook,
): Promise<ContactListForm> {
  if (!request.isMultipart())
    throw errors.invalid('file', 'must be sent as a file in a multipart/form-data body');
  const rules: FormRules = { fileField: 'file', maxFiles: 1, maxFileBytes, jsonFields: [] };
  const sent: Record<string, string> = {};
  let fileName: string | null = null;
  const beforeStoring = async (): Promise<void> => {
    if (sent['agent_id'] !== undefined) await checkAgent(sent['agent_id'].trim());
  };
  try {
    for await (const part of request.parts({
      limits: { ...FIELDS, files: 1, fileSize: maxFileBytes, headerPairs: 50 },
    })) {
      checkNamed(part);
      if (part.type === 'field') {
        if (part.fieldname === 'file') throw notAFile();
        if (part.valueTruncated || part.fieldnameTruncated)
          throw errors.invalid(part.fieldname.slice(0, 100), 'is too long');
        // The form parser has parsed a part of the type application/json.
        setOwn(
          sent,
          part.fieldname,
          typeof part.value === 'string' ? part.value : JSON.stringify(part.value),
        );
        continue;
      }
      if (part.fieldname !== 'file') {
        throw errors.invalid(
          part.fieldname.slice(0, 100),
          'must not be a file; the contact list is sent as file',
        );
      }
      fileName = shownName(part.filename ?? '');
      for await (const bytes of listText(part.file as AsyncIterable<Buffer>, readWorkbook)) {
        await file.write(bytes, beforeStoring);
      }
      if (part.file.truncated) throw tooLarge(maxFileBytes);
    }
  } catch (error) {
    const isTooLarge =
      error instanceof Error && (error as NodeJS.ErrnoException).code === 'FST_REQ_FILE_TOO_LARGE';
    throw isTooLarge ? tooLarge(maxFileBytes) : refusal(error, rules, 0);
  }
  checkStorable(sent);
  const fields = readFields(sent, fileName === null);
  // JSON escapes can hold characters that the raw text does not.
  checkStorable(fields);
  request.body = { ...fields, file: [fileName, file.digest()] };
  return { fields, fileName: fileName ?? '' };
}

const notAFile = () => errors.invalid('file', 'must be a file, sent with a file name');
const tooLarge = (maxBytes: number) =>
  errors.invalid('file', `must be at most ${Math.floor(maxBytes / 1_048_576)} MB`);

function checkStorable(fields: Readonly<Record<string, unknown>>): void {
  const unstorable = findUnstorable(fields, '');
  if (unstorable === null) return;
  throw errors.invalid(unstorable || 'body', 'holds NUL or an unpaired surrogate, which cannot be stored');
}

function readFields(sent: Readonly<Record<string, string>>, isWithoutFile: boolean): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const problems: FieldProblem[] = [];
  if (isWithoutFile) problems.push({ field: 'file', message: 'is required' });
  for (const [name, text] of Object.entries(sent)) {
    const value = text.trim();
    // Browsers send blank fields too.
    if (value === '') continue;
    if (name === 'remove_invalid_rows') {
      const flag = value.toLowerCase();
      if (flag === 'true' || flag === 'false') fields[name] = flag === 'true';
      else problems.push({ field: name, message: 'must be true or false' });
    } else if (JSON_FIELDS.has(name)) {
      try {
        fields[name] = JSON.parse(value) as unknown;
      } catch {
        problems.push({ field: name, message: 'must be a JSON object' });
      }
    } else setOwn(fields, name, value);
  }
  if (problems.length > 0) throw errors.validationFailed(problems);
  return fields;
}

/** Assigns an own property even for the name `__proto__`. */
function setOwn<T>(target: Record<string, T>, name: string, value: T): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}
