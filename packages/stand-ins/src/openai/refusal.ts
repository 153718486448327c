import type { Refusal } from '../fake-vendor.ts';

const CODES: Record<number, [code: string, message: string]> = {
  400: ['invalid_request_error', 'Invalid request.'],
  401: ['invalid_api_key', 'Incorrect API key provided.'],
  402: ['insufficient_quota', 'You exceeded your current quota.'],
  404: ['model_not_found', 'The model does not exist.'],
  429: ['rate_limit_exceeded', 'Rate limit reached.'],
};

export function openaiRefusal(status: number, said?: string): Refusal {
  const [code, message] = CODES[status] ?? ['server_error', 'The server had an error.'];
  return { status, body: { error: { message: said ?? message, type: code, code, param: null } } };
}
