import { errorOf, unansweredError } from './error.ts';

/**
 * Opens a recording by its signed link (`recording_url` of a call or event), which needs no key. `range` reads a part of
 * it: `bytes=0-65535`. Throws CallwrightError, with status 410 for a link that has ended: read the call again for a new one.
 */
export async function downloadRecording(
  recordingUrl: string,
  options: {
    readonly range?: string | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly fetch?: typeof fetch | undefined;
  } = {},
): Promise<Response> {
  let response: Response;
  try {
    response = await (options.fetch ?? fetch)(recordingUrl, {
      headers: options.range === undefined ? {} : { range: options.range },
      signal: options.signal ?? null,
    });
  } catch (cause) {
    throw unansweredError(recordingUrl, cause);
  }
  if (!response.ok) throw await errorOf(response);
  return response;
}
