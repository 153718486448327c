import { hash } from '@node-rs/argon2';
import type { Role } from '../../../src/store/schema.ts';
import { newId } from '../../../src/shared/ids.ts';
import { insertUser } from '../../../src/store/tenants/users.ts';
import { putMember } from '../../../src/store/tenants/members.ts';
import type { Answer, TestApi } from '../api/api.ts';

export const PASSWORD = 'correct horse battery';
let people = 0;
let browsers = 0;
let hashed: Promise<string> | null = null;

export interface Person {
  userId: string;
  email: string;
}

/** A user with `PASSWORD` who is a member of the workspace. */
export async function createPerson(
  api: Pick<TestApi, 'db' | 'clock'>,
  workspaceId: string | null,
  role: Role = 'owner',
): Promise<Person> {
  people += 1;
  const at = new Date(api.clock.now());
  const userId = newId();
  const email = `Person${people}@example.com`;
  hashed ??= hash(PASSWORD);
  await insertUser(api.db as never, { id: userId, email, passwordHash: await hashed }, at);
  if (workspaceId !== null) await putMember(api.db as never, workspaceId, userId, role, at);
  return { userId, email };
}

/** Sends requests as a browser does: with the cookies that were set, and as the page of the service. */
export class Browser {
  readonly #api: Pick<TestApi, 'request'>;
  cookie: string | null = null;
  /** The cookie by which the browser is known at its next sign-in. */
  device: string | null = null;
  csrf: string | null = null;
  workspaceId: string | null = null;

  readonly address: string;

  constructor(api: Pick<TestApi, 'request'>) {
    this.#api = api;
    browsers += 1;
    // Each in a block of its own: sign-ins are limited by block.
    this.address = `10.${browsers >> 8}.${browsers % 256}.1`;
  }

  async request(
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const cookies = [this.cookie, this.device].filter((cookie) => cookie !== null).join('; ');
    const answer = await this.#api.request(method, path, {
      address: this.address,
      ...(body === undefined ? {} : { body }),
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(cookies === '' ? {} : { cookie: cookies }),
        ...(this.csrf === null ? {} : { 'x-csrf-token': this.csrf }),
        ...(this.workspaceId === null ? {} : { 'x-workspace-id': this.workspaceId }),
        ...headers,
      },
    });
    for (const set of [answer.headers['set-cookie'] ?? []].flat().map(String)) {
      const [pair = ''] = set.split(';', 1);
      if (pair.includes('cw_device=')) this.device = pair;
      else this.cookie = pair.endsWith('=') ? null : pair;
    }
    return answer;
  }

  /** Signs in, and reads the CSRF token. */
  async signIn(email: string, more: Record<string, unknown> = {}): Promise<Answer> {
    const answer = await this.request('POST', '/dashboard-api/sign-in', {
      email,
      password: PASSWORD,
      ...more,
    });
    if (answer.status === 200) await this.readSession();
    return answer;
  }

  async readSession(): Promise<Answer> {
    const session = await this.request('GET', '/dashboard-api/session');
    this.csrf = session.status === 200 ? String(session.body['csrf_token']) : null;
    return session;
  }
}

/** A browser in which a new member of the workspace is signed in. */
export async function signedIn(
  api: TestApi,
  workspaceId: string,
  role: Role = 'owner',
): Promise<Browser & { person: Person }> {
  const person = await createPerson(api, workspaceId, role);
  const browser = new Browser(api);
  await browser.signIn(person.email);
  browser.workspaceId = workspaceId;
  return Object.assign(browser, { person });
}
