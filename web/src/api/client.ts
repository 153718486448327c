import { t } from '../words/words.ts';
import { OPERATIONS as API, type Operations as ApiOperations } from '../../../packages/sdk/src/operations.ts';
import { workspaceId } from '../session/workspace.ts';
import { isLost, noteAnswer, noteLost } from './connection.ts';
import { OPERATIONS as OWN, type Operations as OwnOperations } from './operations.ts';
import { noteChange, seenHeader } from './seen.ts';
import { withoutSecrets } from './secrets.ts';
import { KEY_HEADER, quoted } from './shell-words.ts';

type Operations = ApiOperations & OwnOperations;
export type OperationName = keyof Operations;
export type Input<O extends OperationName> = Operations[O]['input'];
export type Answer<O extends OperationName> = Operations[O]['answer'];

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly hasBody: boolean;
  readonly isJson: boolean;
  readonly isIdempotent: boolean;
}
const OPERATIONS: Readonly<Record<string, Operation>> = { ...API, ...OWN };

/** A request that failed; `status` 0: the service could not be reached. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  /** Messages by the path of the field. */
  readonly fields: ReadonlyMap<string, string>;
  /** The whole response. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Record<string, unknown>) {
    super(
      typeof body['message'] === 'string' ? body['message'] : t('The service did not answer as expected.'),
    );
    this.name = 'ApiFailure';
    this.body = body;
    this.status = status;
    this.code = typeof body['code'] === 'string' ? body['code'] : '';
    this.requestId = typeof body['request_id'] === 'string' ? body['request_id'] : null;
    const fields = Array.isArray(body['errors'])
      ? (body['errors'] as { field: string; message: string }[])
      : [];
    this.fields = new Map(fields.map(({ field, message }) => [field, message]));
  }
}

let csrfToken = '';
export function setCsrfToken(token: string): void {
  csrfToken = token;
}

/** What the session does about answers that concern it. */
export interface SessionKeeper {
  /** The session has ended. */
  ended(): void;
  /** The role or the membership is another one than the page knows. */
  changed(): void;
  /** Reads the session again; resolves whether its CSRF token is a new one, since another tab signed in. */
  renewed(): Promise<boolean>;
}
let keeper: SessionKeeper | null = null;
export function keepSession(by: SessionKeeper): void {
  keeper = by;
}

/** A cookie that is missing looks like a missing key. */
const ENDED: ReadonlySet<string> = new Set(['SIGNED_OUT', 'INVALID_CREDENTIALS']);
const CHANGED: ReadonlySet<string> = new Set(['ROLE_TOO_LOW', 'NOT_A_MEMBER']);

/**
 * Sends one operation of the API. Path, query and body fields are passed in one object. `more` are headers besides the
 * usual ones. Throws ApiFailure.
 */
export async function call<O extends OperationName>(
  name: O,
  input: Input<O>,
  signal?: AbortSignal,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer<O>> {
  const sent = csrfToken;
  let response = await send(name, input as Record<string, unknown>, signal, more);
  if (!response.ok) {
    const failure = await failureOf(response);
    // The page may have read the session of another tab since the request left.
    const isRenewed =
      failure.code === 'CROSS_SITE' && (csrfToken !== sent || (await keeper?.renewed()) === true);
    if (!isRenewed) throw noted(name, failure);
    response = await send(name, input as Record<string, unknown>, signal, more);
    if (!response.ok) throw noted(name, await failureOf(response));
  }
  noteAnswer();
  return (OPERATIONS[name]?.isJson === true ? response.json() : response) as Promise<Answer<O>>;
}

async function send(
  name: string,
  input: Record<string, unknown>,
  signal: AbortSignal | undefined,
  more: Readonly<Record<string, string>>,
): Promise<Response> {
  const operation = OPERATIONS[name];
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const { url, body } = urlAndBody(operation, input);
  const isRead = operation.method === 'GET';
  if (!isRead) noteChange();
  const headers: Record<string, string> = {
    ...more,
    ...(isRead ? seenHeader() : {}),
    'x-csrf-token': csrfToken,
  };
  const workspace = workspaceId();
  if (workspace !== null) headers['x-workspace-id'] = workspace;
  const form = formOf(body);
  // The browser names the type of a form itself, with its boundary.
  if (operation.hasBody && form === null) headers['content-type'] = 'application/json';
  if (operation.isIdempotent) headers['idempotency-key'] = crypto.randomUUID();
  const response = await fetch(url, {
    method: operation.method,
    headers,
    credentials: 'same-origin',
    ...(form === null ? (operation.hasBody ? { body: JSON.stringify(body) } : {}) : { body: form }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    noteLost();
    throw new ApiFailure(0, {
      message: t('The service cannot be reached. Check the connection, then try again.'),
    });
  });
  return response;
}

/** Some operations take a form or JSON: the input decides. */
const formOf = (body: Record<string, unknown>): FormData | null =>
  body['form'] instanceof FormData ? body['form'] : null;

const failureOf = async (response: Response): Promise<ApiFailure> =>
  new ApiFailure(response.status, await response.json().catch(() => ({})));

/** The failure, once connection and session know what it says about them. */
function noted(name: string, failure: ApiFailure): ApiFailure {
  if (isLost(failure.status, failure.code)) noteLost();
  else noteAnswer();
  if (name === 'getSession') return failure;
  if (failure.status === 401 && ENDED.has(failure.code)) keeper?.ended();
  if (CHANGED.has(failure.code)) keeper?.changed();
  return failure;
}

/** What proves who sends a request where an operation takes no key. */
const sessionHeaders = (): readonly string[] => [
  `-b "${location.protocol === 'https:' ? '__Host-' : ''}cw_session=$CALLWRIGHT_SESSION"`,
  '-H "X-CSRF-Token: $CALLWRIGHT_CSRF"',
  '-H "X-Workspace-Id: $CALLWRIGHT_WORKSPACE"',
];

/** Operations that begin a session, so that none proves who sends them. */
const ENTRANCES: ReadonlySet<string> = new Set(['signIn', 'createFirstOwner', 'acceptInvitation']);
const proofOf = (name: string, path: string): readonly string[] =>
  ENTRANCES.has(name) ? [] : path.startsWith('/dashboard-api/') ? sessionHeaders() : [KEY_HEADER];

/** The request as a command for a shell; key and session are variables of the shell, other secrets are placeholders. */
export function curlOf<O extends OperationName>(name: O, input: Input<O>): string {
  const operation = OPERATIONS[name];
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const { url, body } = urlAndBody(operation, input as Record<string, unknown>);
  const form = formOf(body);
  const parts = [
    `curl -X ${operation.method} ${quoted(`${location.origin}${url}`)}`,
    ...proofOf(name, operation.path),
    ...(operation.hasBody && form === null
      ? [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(withoutSecrets(body)))}`]
      : []),
    ...[...(form ?? [])].map(([field, value]) =>
      // The shell reads the file itself, from the folder that it runs in.
      typeof value === 'string'
        ? `--form-string ${quoted(`${field}=${value}`)}`
        : `-F ${quoted(`${field}=@"${value.name.replaceAll(/["\\]/g, '')}"`)}`,
    ),
  ];
  return parts.join(' \\\n  ');
}

function urlAndBody(
  operation: Operation,
  input: Record<string, unknown>,
): { url: string; body: Record<string, unknown> } {
  const rest = new Map(Object.entries(input));
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(typeof value === 'string' || typeof value === 'number' ? value : '');
  });
  const query = new URLSearchParams();
  for (const name of operation.query) {
    const value = rest.get(name);
    rest.delete(name);
    const isText = typeof value === 'string' && value !== '';
    if (isText || typeof value === 'number' || typeof value === 'boolean') query.set(name, String(value));
  }
  const search = query.size === 0 ? '' : `?${query}`;
  return { url: `${path}${search}`, body: Object.fromEntries(rest) };
}
