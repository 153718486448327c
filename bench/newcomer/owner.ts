import type { Program } from './program.ts';

const OWNER = { email: 'owner@example.com', password: 'a long enough passphrase' };
const sessions = new WeakMap<Program, Promise<Readonly<Record<string, string>>>>();

/** The headers of the page in which the first owner is signed in, who the first-run link makes. */
function signedIn(program: Program): Promise<Readonly<Record<string, string>>> {
  const known = sessions.get(program) ?? signIn(program);
  sessions.set(program, known);
  return known;
}

async function signIn(program: Program): Promise<Readonly<Record<string, string>>> {
  const headers = { 'content-type': 'application/json', origin: program.url };
  const token = new URL(program.ownerLink).hash.slice(1);
  const made = await fetch(`${program.url}/dashboard-api/first-run`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ token, ...OWNER }),
  });
  const cookie = made.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const session = await fetch(`${program.url}/dashboard-api/session`, { headers: { cookie } });
  return { ...headers, cookie, 'x-csrf-token': ((await session.json()) as any).csrf_token };
}

/** Sends a request as the owner of the workspace, for what no key of a workspace may do. */
export async function asOwner(
  program: Program,
  workspaceId: string,
  method: 'GET' | 'POST',
  path: string,
): Promise<any> {
  const answer = await fetch(`${program.url}${path}`, {
    method,
    headers: { ...(await signedIn(program)), 'x-workspace-id': workspaceId },
    ...(method === 'POST' ? { body: '{}' } : {}),
  });
  return answer.json();
}
