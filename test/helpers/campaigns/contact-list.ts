import type { Answer, TestApi } from '../api/api.ts';

export interface ListForm {
  readonly file?: string | Buffer | null;
  readonly fileName?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends the file before the fields. */
  readonly fileFirst?: boolean;
}

export const EDGE = 'edge-of-a-part';

/** Builds a multipart body by hand, because tests need malformed ones too. */
export function listBody({ file, fileName = 'contacts.csv', fields = {}, fileFirst }: ListForm): Buffer {
  const texts = Object.entries(fields).map(([name, value]) =>
    Buffer.from(`--${EDGE}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
  );
  const files =
    file == null
      ? []
      : [
          Buffer.from(
            `--${EDGE}\r\ncontent-disposition: form-data; name="file"; filename="${fileName}"\r\ncontent-type: text/csv\r\n\r\n`,
          ),
          Buffer.from(file),
          Buffer.from('\r\n'),
        ];
  const parts = fileFirst === true ? [...files, ...texts] : [...texts, ...files];
  return Buffer.concat([...parts, Buffer.from(`--${EDGE}--\r\n`)]);
}

/** Uploads a list to `save` or `upload-csv`. */
export const uploadList = (
  api: TestApi,
  flow: 'save' | 'upload-csv',
  key: string | null,
  form: ListForm,
): Promise<Answer> =>
  api.request('POST', `/api/v0/campaign/${flow}${form.query ?? ''}`, {
    key,
    raw: listBody(form),
    headers: { 'content-type': `multipart/form-data; boundary=${EDGE}`, ...form.headers },
  });
