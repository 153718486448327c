import { KEY_HEADER, quoted } from '../../api/shell-words.ts';

/** What the log has of a request. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly content_type: string | null;
  readonly body_bytes: number | null;
  readonly body: unknown;
  readonly is_cut: boolean;
}

/** Whether the log has all that a request needs to be sent again. */
export const isWhole = ({ body, body_bytes: bytes, is_cut: isCut }: LoggedRequest): boolean =>
  !isCut && (body !== null || (bytes ?? 0) === 0);

/** The request as a command for a shell. The key is a variable; files are read from the folder of the shell. */
export function curlOfRequest(origin: string, request: LoggedRequest): string {
  const { method, path, body, content_type: type } = request;
  const verb = method === 'HEAD' ? '--head' : `-X ${method}`;
  return [`curl ${verb} ${quoted(`${origin}${path}`)}`, KEY_HEADER, ...partsOf(type, body)].join(' \\\n  ');
}

function partsOf(type: string | null, body: unknown): readonly string[] {
  if (body === null) return [];
  if (type !== 'multipart/form-data') {
    return [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`];
  }
  return Object.entries(body as Record<string, unknown>).flatMap(([name, value]) =>
    name === 'file' || name === 'files'
      ? [value].flat().map((file) => `-F ${quoted(`${name}=@"${String(file).replaceAll(/["\\]/g, '')}"`)}`)
      : [`--form-string ${quoted(`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)}`],
  );
}
