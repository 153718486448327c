import { describe, expect, it } from 'vitest';
import { withoutSecrets } from './secrets.ts';

describe('a copied request', () => {
  it('has placeholders in place of secrets, at any depth, also of empty ones', () => {
    expect(
      withoutSecrets({
        email: 'a@example.com',
        password: 'hunter2 hunter2',
        new_password: '',
        vendors: { openai: { api_key: 'sk-live', base_url: null } },
        lists: [{ token: 'once' }],
      }),
    ).toEqual({
      email: 'a@example.com',
      password: '<password>',
      new_password: '<new_password>',
      vendors: { openai: { api_key: '<api_key>', base_url: null } },
      lists: [{ token: '<token>' }],
    });
  });

  it('keeps masks, which the service reads as the stored value, and null, which removes it', () => {
    const body = {
      llm: { api_key: 'sk-0***' },
      vendors: { openai: { api_key: 'sk_••••9f3a' }, google: null },
    };
    expect(withoutSecrets(body)).toEqual(body);
    expect(withoutSecrets({ api_key: null })).toEqual({ api_key: null });
  });

  it('hides headers that authenticate, and keeps others and templates', () => {
    const headers = { Authorization: 'Bearer abc', 'X-Api-Key': '{{key}}', accept: 'text/plain' };
    expect(withoutSecrets({ tools: [{ headers }] })).toEqual({
      tools: [{ headers: { ...headers, Authorization: '<Authorization>' } }],
    });
  });
});
