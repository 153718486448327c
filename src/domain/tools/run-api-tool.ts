import type { StoredApiTool } from '../../store/json/tools.ts';
import type { Seal } from '../../shared/seal.ts';
import { buildRequest, type ToolRequest } from './build-request.ts';
import { textAt } from './template.ts';
import { openSecret, withoutSecrets } from './tool-secrets.ts';
import { isSecret } from './tool-types.ts';

/** The safe fetcher, which opens inner addresses to the workspaces that SAFE_FETCH_ALLOW names. */
export interface ToolFetcher {
  of(workspaceId: string): WorkspaceFetcher;
}

/** The part of a workspace's fetcher that tools use. */
interface WorkspaceFetcher {
  fetch(request: {
    readonly url: string;
    readonly method: ToolRequest['method'];
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
    readonly timeoutMs: number;
    readonly maxBytes: number;
  }): Promise<
    | {
        readonly ok: true;
        readonly status: number;
        readonly body: Buffer;
        readonly isTruncated: boolean;
      }
    | { readonly ok: false; readonly failure: string; readonly detail: string }
  >;
}

/** The outcome of a tool; the model and the log see `result`. */
export interface ToolOutcome {
  readonly ok: boolean;
  readonly result: unknown;
  readonly variables?: Readonly<Record<string, string>>;
}

/** A larger answer is cut off and reported as an error. */
const MAX_ANSWER_BYTES = 256 * 1024;
/** Maximum length of a result in characters of its JSON. */
const MAX_RESULT_CHARS = 4000;

/** Sends the request of a tool and parses its answer. Never throws: a failure is an outcome. */
export async function runApiTool(
  deps: { readonly fetcher: ToolFetcher; readonly seal: Seal },
  tool: StoredApiTool,
  input: {
    readonly workspaceId: string;
    readonly variables: Readonly<Record<string, string>>;
    readonly args: Readonly<Record<string, unknown>>;
    readonly timeoutMs: number;
    /** Headers of the service, which the tool cannot override. */
    readonly headers?: Readonly<Record<string, string>>;
  },
): Promise<ToolOutcome> {
  const built = buildRequest(tool, { ...input, open: (value) => openSecret(deps.seal, value) });
  if ('error' in built) return { ok: false, result: { error: built.error } };
  const { request } = built;
  const answer = await deps.fetcher.of(input.workspaceId).fetch({
    ...request,
    headers: { accept: 'application/json', ...request.headers, ...input.headers },
    timeoutMs: input.timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
  });
  if (!answer.ok) return { ok: false, result: failed(answer) };
  if (answer.isTruncated) return { ok: false, result: { status: answer.status, error: 'answer too large' } };
  const data = withoutSecrets(readAnswer(answer.body), secretsOf(deps.seal, tool));
  const ok = answer.status >= 200 && answer.status < 300;
  const variables = ok ? variablesOf(tool, data) : {};
  const result = capped({ status: answer.status, data });
  return { ok, result, ...(Object.keys(variables).length === 0 ? {} : { variables }) };
}

/** A refused address names its setting, so that whoever reads the tool log can act on it. */
const failed = ({ failure, detail }: { readonly failure: string; readonly detail: string }) =>
  failure === 'blocked' ? { error: failure, detail } : { error: failure };

function readAnswer(body: Buffer): unknown {
  // NUL characters are removed, since PostgreSQL cannot store them.
  const text = body.toString('utf8').replaceAll('\0', '');
  try {
    return JSON.parse(text.replaceAll(String.raw`\u0000`, ''));
  } catch {
    return text;
  }
}

function variablesOf(tool: StoredApiTool, data: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tool.resultVariables ?? {}).flatMap(([name, path]) => {
      const text = textAt(data, path);
      return text === null ? [] : [[name, text]];
    }),
  );
}

function secretsOf(seal: Seal, tool: StoredApiTool): string[] {
  return [tool.headers, tool.query, tool.body].flatMap((place) =>
    Object.values(place ?? {}).flatMap((value) => {
      const secret = isSecret(value) ? openSecret(seal, value) : null;
      return secret === null ? [] : [secret];
    }),
  );
}

/** Truncates a result that is too long. */
export function capped(result: unknown): unknown {
  const text = JSON.stringify(result) ?? 'null';
  return text.length <= MAX_RESULT_CHARS ? result : { truncated: text.slice(0, MAX_RESULT_CHARS) };
}
