import { Agent, fetch as undiciFetch } from 'undici';

const CONNECT_MS = 1_500;
/** Longer than most pauses of a conversation; a vendor's own limit wins when it is shorter. */
const KEPT_MS = 60_000;

let agent: Agent | null = null;

/** The standard `fetch` over connections that stay open between requests and calls, one pool per thread. */
export const keepAliveFetch: typeof globalThis.fetch = async (input, init) => {
  agent ??= new Agent({ connect: { timeout: CONNECT_MS }, keepAliveTimeout: KEPT_MS });
  const options = { ...init, redirect: 'error', dispatcher: agent } as Parameters<typeof undiciFetch>[1];
  const url = input instanceof Request ? input.url : String(input);
  return undiciFetch(url, options) as Promise<unknown> as Promise<Response>;
};
