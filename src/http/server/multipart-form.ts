import type { MultipartFile, MultipartValue } from '@fastify/multipart';
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { UploadedFile } from '../../domain/knowledge/knowledge-input.ts';
import { errors, type ApiError } from '../../errors.ts';
import { findUnstorable } from './validation.ts';

export interface Form {
  /** Values by name; `jsonFields` are parsed. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: readonly UploadedFile[];
}

export interface FormRules {
  /** The only field that takes files. */
  readonly fileField: string;
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  readonly jsonFields: readonly string[];
}

const MAX_FIELD_BYTES = 4 * 1024 * 1024;
const MAX_FIELDS = 20;
const MAX_NAME = 255;
const MB = 1024 * 1024;

/**
 * Parses a form with files, or the same fields as a JSON object without files. Throws 422 naming the field, and 415
 * for another content type. Sets `request.body` to the value that the Idempotency-Key is compared with.
 */
export async function readForm(request: FastifyRequest, rules: FormRules): Promise<Form> {
  const form = request.isMultipart() ? await readParts(request, rules) : fromJson(request, rules);
  const path = findUnstorable(form.fields, '');
  if (path !== null) {
    throw errors.invalid(path || 'body', 'holds NUL or an unpaired surrogate, which cannot be stored');
  }
  request.body = {
    ...form.fields,
    files: form.files.map(({ name, content }) => [name, createHash('sha256').update(content).digest('hex')]),
  };
  return form;
}

function fromJson(request: FastifyRequest, rules: FormRules): Form {
  const body = request.body ?? {};
  if (typeof body !== 'object' || Array.isArray(body)) throw errors.invalid('body', 'must be an object');
  if (rules.fileField in body) throw notAFile(rules.fileField);
  return { fields: body as Record<string, unknown>, files: [] };
}

async function readParts(request: FastifyRequest, rules: FormRules): Promise<Form> {
  const fields: Record<string, unknown> = {};
  const files: UploadedFile[] = [];
  const parts = request.parts({
    limits: {
      fieldNameSize: 100,
      fieldSize: MAX_FIELD_BYTES,
      fields: MAX_FIELDS,
      files: rules.maxFiles,
      fileSize: rules.maxFileBytes,
      headerPairs: 50,
    },
  });
  try {
    for await (const part of parts) {
      checkNamed(part);
      if (part.type === 'file') files.push(await readFile(part, files.length, rules));
      else if (part.fieldname === rules.fileField) throw notAFile(rules.fileField);
      else fields[part.fieldname] = readField(part, rules);
    }
  } catch (error) {
    throw refusal(error, rules, files.length);
  }
  return { fields, files };
}

/** A part can lack a name although its type says otherwise. */
export function checkNamed(part: { fieldname: string | undefined }): void {
  if (typeof part.fieldname !== 'string') throw errors.malformedRequest('a part of the form has no name');
}

async function readFile(part: MultipartFile, at: number, rules: FormRules): Promise<UploadedFile> {
  if (part.fieldname !== rules.fileField) {
    throw errors.invalid(
      part.fieldname.slice(0, 100),
      `must not be a file; files are sent as ${rules.fileField}`,
    );
  }
  const name = shownName(part.filename);
  if (name === '') throw errors.invalid(`${rules.fileField}[${at}]`, 'must have a file name');
  return { name, content: await part.toBuffer() };
}

/** The base name of the path that the client sent, without control characters. */
export const shownName = (name: string): string =>
  name
    .toWellFormed()
    .replace(/^.*[\\/]/s, '')
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(-MAX_NAME);

function readField(part: MultipartValue, { jsonFields }: FormRules): unknown {
  const { fieldname: name, value } = part;
  if (part.valueTruncated || part.fieldnameTruncated) throw errors.invalid(name.slice(0, 100), 'is too long');
  if (!jsonFields.includes(name)) return value;
  if (typeof value !== 'string') return value;
  if (value.trim() === '') return undefined;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw errors.invalid(name, 'must be a JSON array');
  }
}

const NO_BOUNDARY =
  'Content-Type multipart/form-data has no boundary; let the HTTP client set this header by itself';

const notAFile = (field: string): ApiError =>
  errors.invalid(field, 'must be sent as files in a multipart/form-data body');

/** Translates the multipart parser's errors into API errors. */
export function refusal(error: unknown, rules: FormRules, at: number): unknown {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  switch (code) {
    case 'FST_REQ_FILE_TOO_LARGE':
      return errors.invalid(`${rules.fileField}[${at}]`, `must be at most ${rules.maxFileBytes / MB} MB`);
    case 'FST_FILES_LIMIT':
      return errors.invalid(rules.fileField, `must hold at most ${rules.maxFiles} files`);
    case 'FST_FIELDS_LIMIT':
    case 'FST_PARTS_LIMIT':
      return errors.invalid('body', `must hold at most ${MAX_FIELDS} fields`);
    case 'FST_INVALID_JSON_FIELD_ERROR':
      return errors.malformedRequest('a part of the form has the type application/json and is not JSON');
    case 'FST_PROTO_VIOLATION':
      return errors.malformedRequest('a part of the form has a name that is not allowed');
    case 'FST_NO_FORM_DATA':
    case 'FST_INVALID_MULTIPART_CONTENT_TYPE':
      return errors.malformedRequest(NO_BOUNDARY);
    case null:
      // The parser's errors about a body that is no form carry no code.
      return error instanceof Error && /form|boundary|part|header/i.test(error.message)
        ? errors.malformedRequest(
            /boundary/i.test(error.message)
              ? NO_BOUNDARY
              : 'the multipart/form-data body is cut off or malformed',
          )
        : error;
    default:
      return error;
  }
}
