import type { Refusal } from '../fake-vendor.ts';

const CODES: Record<number, [code: string, message: string]> = {
  400: ['Bad Request', 'Invalid query string.'],
  401: ['INVALID_AUTH', 'Invalid credentials.'],
  402: ['ASR_PAYMENT_REQUIRED', 'Project does not have enough credits for an ASR request.'],
  403: ['INSUFFICIENT_PERMISSIONS', 'Project does not have access to the requested model.'],
  429: ['TOO_MANY_REQUESTS', 'Too many requests. Please try again later'],
};

export const deepgramRefusal = (status: number, message?: string): Refusal => {
  const [code, usual] = CODES[status] ?? ['INTERNAL_SERVER_ERROR', 'Something went wrong.'];
  return { status, body: { err_code: code, err_msg: message ?? usual, request_id: crypto.randomUUID() } };
};
