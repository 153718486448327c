import type { FastifyRequest } from 'fastify';
import type { IncomingFile } from '../domain/campaigns/import/incoming-file.ts';
import { errors, type FieldProblem } from '../errors.ts';
import { checkNamed, refusal, shownName, type FormRules } from './multipart-form.ts';
import { findUnstorable } from './validation.ts';

const FIELDS = { fieldNameSize: 100, fieldSize: 1_048_576, fields: 20 };
const JSON_FIELDS = new Set(['variables_map', 'call_config']);

export interface ContactListForm {
  /** Values by name; JSON is read, blank ones are left out. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly fileName: string;
}

/**
 * Reads the form of a contact list while it comes in: the file goes piece by piece to `file`, wherever in the form it
 * is. Throws 422 naming the field. What idempotency compares is left in `request.body`.
 */
export async function readContactListForm(
  request: FastifyRequest,
  file: IncomingFile,
  maxFileBytes: number,
): Promise<ContactListForm> {
  if (!request.isMultipart())
    throw errors.invalid('file', 'must be sent as a file in a multipart/form-data body');
  const rules: FormRules = { fileField: 'file', maxFiles: 1, maxFileBytes, jsonFields: [] };
  const sent: Record<string, string> = {};
  let fileName: string | null = null;
  try {
    for await (const part of request.parts({
      limits: { ...FIELDS, files: 1, fileSize: maxFileBytes, headerPairs: 50 },
    })) {
      checkNamed(part);
      if (part.type === 'field') {
        if (part.fieldname === 'file') throw notAFile();
        if (part.valueTruncated || part.fieldnameTruncated)
          throw errors.invalid(part.fieldname.slice(0, 100), 'is too long');
        setOwn(sent, part.fieldname, String(part.value));
        continue;
      }
      if (part.fieldname !== 'file') {
        throw errors.invalid(
          part.fieldname.slice(0, 100),
          'must not be a file; the contact list is sent as file',
        );
      }
      fileName = shownName(part.filename ?? '');
      for await (const bytes of part.file) await file.write(bytes as Buffer);
      if (part.file.truncated) throw tooLarge(maxFileBytes);
    }
  } catch (error) {
    const isTooLarge =
      error instanceof Error && (error as NodeJS.ErrnoException).code === 'FST_REQ_FILE_TOO_LARGE';
    throw isTooLarge ? tooLarge(maxFileBytes) : refusal(error, rules, 0);
  }
  checkStorable(sent);
  const fields = readFields(sent, fileName === null);
  // JSON may escape what its text does not hold.
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
    // Forms send what was left blank as well.
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

/** A field may be called __proto__. */
function setOwn<T>(target: Record<string, T>, name: string, value: T): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}
