import { authorize, chooseChallenge, type Challenge, type Credentials } from './digest-client.ts';
import type { Header, SipResponse } from './message.ts';

const MAX_NONCES = 64;

/** Answers challenges with one account, counting the uses of every nonce. */
export interface Authenticator {
  challenge(response: SipResponse): Challenge | null;
  answer(challenge: Challenge, request: { method: string; uri: string }): Header;
}

export function createAuthenticator(credentials: Credentials): Authenticator {
  const counts = new Map<string, number>();
  return {
    challenge: chooseChallenge,
    answer(challenge, request) {
      const count = (counts.get(challenge.nonce) ?? 0) + 1;
      if (counts.size >= MAX_NONCES) counts.clear();
      counts.set(challenge.nonce, count);
      return authorize(challenge, credentials, request, count);
    },
  };
}
