import { describe, expect, it } from 'vitest';
import { storageQuotas } from './storage-quotas.ts';

const DEFAULTS = { recordings: 1_000, callRecords: 500, chats: 0, tests: 0 };
const settings = (limits: object, parent?: object) =>
  ({ limits, ...(parent === undefined ? {} : { parent: { limits: parent } }) }) as never;

describe('storage quotas', () => {
  it('are the defaults of the installation where the limits declare none, and 0 means no quota', () => {
    expect(storageQuotas({}, DEFAULTS)).toEqual({ recordings: 1_000, callRecords: 500 });
    expect(storageQuotas(settings({}), DEFAULTS)).toEqual({ recordings: 1_000, callRecords: 500 });
  });

  it('are those that the limits declare, even above the defaults', () => {
    const declared = { recordings_mb: 5_000, call_records_mb: 20, chats_mb: 7, tests_mb: 3 };
    const own = { recordings: 5_000, callRecords: 20, chats: 7, tests: 3 };
    expect(storageQuotas(settings(declared), DEFAULTS)).toEqual(own);
    expect(storageQuotas(settings({}, declared), DEFAULTS)).toEqual(own);
  });

  it('of a child narrow those of its parent and never widen them', () => {
    const parent = { recordings_mb: 200, chats_mb: 50 };
    const child = { recordings_mb: 5_000, call_records_mb: 9_000, chats_mb: 10, tests_mb: 4 };
    expect(storageQuotas(settings(child, parent), DEFAULTS)).toEqual({
      recordings: 200,
      callRecords: 500,
      chats: 10,
      tests: 4,
    });
  });
});
