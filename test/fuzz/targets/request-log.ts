import { describedRequest, redactedBody } from '../../../src/domain/requests/described-request.ts';
import { mutateText, tokens } from '../mutate.ts';
import { must, type Target } from '../target.ts';

const KEY = 'cw_live_0123456789abcdefghijklmnopqrstuv';
const REQUESTS = [
  `/api/v0/calling/history?to_number=%2B14155550123&api_key=${KEY}\n{"name":"Priya","headers":{"X-Any":"${KEY}"}}`,
  `/api/v0/agent/v1\n{"tools":[{"url":"https://u:p@x.test/?a=1&token=t#f","body":{"api_key":"k","note":"{\\"pin\\":1}"}}]}`,
  `/api/v0/dnc\n["+14155550123",{"name":"Authorization","value":"Bearer ${KEY}"},"${'long words '.repeat(300)}"]`,
];
const TOKENS = tokens(
  `{¦}¦[¦]¦,¦:¦"¦\\¦\\u0000¦\\ud800¦null¦1e400¦{}¦"headers":¦"value":¦"name":¦"__proto__":¦${KEY}¦\\u0063w_live_¦Bearer ¦://¦@¦?¦&¦=¦%¦%7B¦#`,
);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** The entry of any request: valid JSON of bounded length, without the key of the request. */
const requestLog: Target = {
  name: 'request-log',
  nightly: 3_000,
  make: (dice) => Buffer.from(mutateText(dice.pick(REQUESTS), TOKENS, REQUESTS, dice)),
  run(input) {
    const [path = '', ...rest] = input.toString('utf8').split('\n');
    const sent = rest.join('\n');
    const { body, response, ...entry } = describedRequest({
      workspaceId: '',
      method: 'POST',
      path,
      status: 422,
      durationMs: 0,
      requestId: '',
      key: '',
      sentKey: KEY,
      contentType: path,
      contentLength: sent,
      body: redactedBody(parsed(sent)),
      notices: [],
      response: sent,
    });
    for (const text of [body, response]) {
      if (text !== null) JSON.parse(text);
      must((text ?? '').length <= 8_300, `${text?.length} characters are kept`);
      must(text?.includes(KEY) !== true, 'the key is kept');
    }
    must(entry.path.length <= 2_048 && !entry.path.includes(KEY), 'the key is kept in the path');
    must((entry.contentType ?? '').length <= 100, 'a long type is kept');
  },
};

export const REQUEST_TARGETS: readonly Target[] = [requestLog];
