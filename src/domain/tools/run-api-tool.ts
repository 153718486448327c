import type { Seal } from '../../shared/seal.ts';
import { buildRequest, type ToolRequest } from './build-request.ts';
import { textAt } from './template.ts';
import { openSecret } from './tool-secrets.ts';
import { isSecret, type StoredApiTool } from './tool-types.ts';
import { withoutSecrets } from './without-secrets.ts';

/** The safe fetcher, as tools use it. */
export interface ToolFetcher {
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

/** What a tool came to. `result` is what the model and the log see. */
export interface ToolOutcome {
  readonly ok: boolean;
  readonly result: unknown;
  readonly variables?: Readonly<Record<string, string>>;
}

/** More of an answer is not read. */
const MAX_ANSWER_BYTES = 256 * 1024;
/** Longest result kept, in characters of its JSON. */
const LONGEST_RESULT = 4000;

/** Sends the request of a tool and reads its answer. Never throws: a failure is an outcome. */
export async function runApiTool(
  deps: { readonly fetcher: ToolFetcher; readonly seal: Seal },
  tool: StoredApiTool,
  input: {
    readonly variables: Readonly<Record<string, string>>;
    readonly args: Readonly<Record<string, unknown>>;
    readonly timeoutMs: number;
    /** Headers of ours, which the tool cannot set. */
    readonly headers?: Readonly<Record<string, string>>;
  },
): Promise<ToolOutcome> {
  const built = buildRequest(tool, { ...input, open: (value) => openSecret(deps.seal, value) });
  if ('error' in built) return { ok: false, result: { error: built.error } };
  const { request } = built;
  const answer = await deps.fetcher.fetch({
    ...request,
    headers: { accept: 'application/json', ...request.headers, ...input.headers },
    timeoutMs: input.timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
  });
  if (!answer.ok) return { ok: false, result: { error: answer.failure } };
  if (answer.isTruncated) return { ok: false, result: { status: answer.status, error: 'answer too large' } };
  const data = withoutSecrets(readAnswer(answer.body), secretsOf(deps.seal, tool));
  const ok = answer.status >= 200 && answer.status < 300;
  const variables = ok ? variablesOf(tool, data) : {};
  const result = capped({ status: answer.status, data });
  return { ok, result, ...(Object.keys(variables).length === 0 ? {} : { variables }) };
}

function readAnswer(body: Buffer): unknown {
  // What the database cannot store is no text of ours either.
  const text = body.toString('utf8').replaceAll('\0', '');
  try {
    return JSON.parse(text.replaceAll(String.raw`\u0000`, ''));
  } catch {
    return text;
  }
}

function variablesOf(tool: StoredApiTool, data: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tool.result_variables ?? {}).flatMap(([name, path]) => {
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

/** A result as it is kept: whole, or the beginning of its text. */
export function capped(result: unknown): unknown {
  const text = JSON.stringify(result) ?? 'null';
  return text.length <= LONGEST_RESULT ? result : { truncated: text.slice(0, LONGEST_RESULT) };
}
